import { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'

/**
 * Bytes that wait to be sent before HTTP/2 is asked for no more: what waits here is in the way of every other stream, a
 * second of it on a line of 1 Mbit/s.
 */
const waitingMax = 128 * 1024
/** Bytes that a peer that keeps to the protocol may send unasked: the window of the connection, and what controls it. */
const unreadMax = agentProtocol.connectionWindow + 4 * 1024 ** 2

/**
 * The same connection, but what comes is taken from the socket whether it is asked for or not. Node's HTTP/2 reads nothing
 * while a write of its own is under way: with both sides full in both directions neither would ever read again. What is
 * held here is bounded by HTTP/2's own flow control, and a peer that does not keep to that is cut.
 */
export function unblocked(socket: Duplex): Duplex {
  const sent = (done: () => void) => {
    if (socket.writableLength <= waitingMax || socket.destroyed) return done()
    socket.once('drain', done)
  }
  const duplex = new Duplex({
    allowHalfOpen: true,
    read: () => {},
    write(chunk, _encoding, done) {
      socket.write(chunk)
      sent(done)
    },
    writev(chunks, done) {
      socket.cork()
      for (const { chunk } of chunks) socket.write(chunk)
      socket.uncork()
      sent(done)
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
    if (!duplex.push(chunk) && duplex.readableLength > unreadMax) socket.destroy()
  })
  socket.on('end', () => duplex.push(null))
  socket.on('error', (error) => duplex.destroy(error))
  socket.on('close', () => duplex.destroy())
  duplex.on('error', () => {})
  return duplex
}
