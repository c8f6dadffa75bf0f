import { Duplex } from 'node:stream'

/**
 * Returns a duplex over the socket whose writes complete as soon as they are queued. Node's HTTP/2
 * does not read while one of its writes is pending: if both directions are full on both sides,
 * neither side would ever read again. HTTP/2's flow control bounds the queue to the connection's
 * window.
 */
export function nonBlockingDuplex(socket: Duplex): Duplex {
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
