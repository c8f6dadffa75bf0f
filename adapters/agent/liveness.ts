import type { Http2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'

/** How often a peer is asked for a sign of life, and how long it may give none. Milliseconds. */
export type Patience = Record<'ping' | 'silence', number>

/** Milliseconds between two looks. A process that was held up for longer looks again before it judges. */
const look = 500
const heldUp = 3_000

/**
 * Cuts a connection over which nothing came for too long. Both sides ask, and any byte is a sign of life: on a line that is
 * full of one side's data no answer comes through in time, and the clock may be set at any time.
 */
export function cutWhenSilent(
  session: Http2Session,
  socket: Duplex,
  { ping, silence }: Patience = agentProtocol,
): void {
  let heard = performance.now()
  let looked = heard
  let asked = heard
  socket.on('data', () => {
    heard = performance.now()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - looked > heldUp) heard = Math.max(heard, now - silence + heldUp)
    looked = now
    if (now - heard >= silence) return void socket.destroy()
    if (now - asked < ping) return
    asked = now
    ask(session)
  }, look)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

function ask(session: Http2Session): void {
  if (session.destroyed || session.closed) return
  // What comes back is a sign of life, whatever it is.
  session.ping(() => {})
}
