import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { TLSSocket } from 'node:tls'

/** Milliseconds for the reason to arrive. */
const reasonTimeout = 2_000

/**
 * Sends the agent the reason in HTTP/2's GOAWAY frame and closes the connection. Use it only for
 * agents that hold one of our certificates.
 */
export function refuse(socket: TLSSocket, reason: string): void {
  const session = connect('http://agent', { createConnection: () => socket })
  session.on('error', () => {})
  session.once('connect', () => endWithReason(session, reason))
  destroyLater(socket)
}

/** Does the same on a connection that has a session already. */
export function refuseSession(
  session: ClientHttp2Session,
  socket: TLSSocket,
  reason: string,
): void {
  if (!session.destroyed) endWithReason(session, reason)
  destroyLater(socket)
}

function endWithReason(session: ClientHttp2Session, reason: string): void {
  session.goaway(constants.NGHTTP2_NO_ERROR, 0, Buffer.from(reason))
  session.close()
}

function destroyLater(socket: TLSSocket): void {
  const timer = setTimeout(() => socket.destroy(), reasonTimeout)
  socket.once('close', () => clearTimeout(timer))
}
