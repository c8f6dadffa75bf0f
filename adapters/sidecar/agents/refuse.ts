import { connect, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'

/** Milliseconds for the reason to arrive. */
const farewell = 2_000

/**
 * Sends the agent the reason in HTTP/2's GOAWAY frame and closes the connection. Use it only for
 * agents that hold one of our certificates.
 */
export function refuse(socket: TLSSocket, reason: string): void {
  const session = connect('http://agent', { createConnection: () => socket })
  session.on('error', () => {})
  session.once('connect', () => {
    session.goaway(constants.NGHTTP2_NO_ERROR, 0, Buffer.from(reason))
    session.close()
  })
  const timer = setTimeout(() => socket.destroy(), farewell)
  socket.once('close', () => clearTimeout(timer))
}
