import { Duplex } from 'node:stream'

/**
 * The same connection, but a write is done as soon as it is waiting to be sent. Node's HTTP/2 reads nothing while a write
 * of its own is under way: with both sides full in both directions neither would ever read again. What waits here is
 * bounded by HTTP/2's own flow control, to the connection's window.
 */
export function unblocked(socket: Duplex): Duplex {
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => {
      socket.resume()
    },
    write(chunk, _encoding, done) {
      socket.write(chunk)
      done()
    },
    writev(chunks, done) {
      socket.cork()
      for (const { chunk } of chunks) socket.write(chunk)
      socket.uncork()
      done()
    },
    final(done) {
      socket.end()
      done()
    },
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk) => {
    if (!duplex.push(chunk)) socket.pause()
  })
  socket.on('end', () => duplex.push(null))
  socket.on('error', (error) => duplex.destroy(error))
  socket.on('close', () => duplex.destroy())
  duplex.on('error', () => {})
  return duplex
}
