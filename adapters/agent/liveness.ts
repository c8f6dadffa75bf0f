import type { Http2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'

/** Milliseconds between pings, and milliseconds of silence after which the peer is dead. */
export type PingTimes = Record<'ping' | 'silence', number>

/**
 * Milliseconds between checks. A process that was suspended for longer than `heldUp` gives the peer
 * that much time before it cuts the connection.
 */
const look = 500
const heldUp = 3_000

/**
 * Cuts a connection on which nothing arrived for too long. Both sides send pings, and any byte
 * counts as a sign of life: on a line saturated by one side, the answer to a ping can be late. Uses
 * a monotonic clock, because the wall clock can be set.
 */
export function cutWhenSilent(
  session: Http2Session,
  socket: Duplex,
  { ping, silence }: PingTimes = agentProtocol,
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

/**
 * Returns whether the peer is alive: pings it and waits until anything arrives. Waits at most
 * `within` milliseconds.
 */
export function isPeerAlive(session: Http2Session, socket: Duplex, within: number) {
  if (socket.destroyed) return Promise.resolve(false)
  return new Promise<boolean>((resolve) => {
    const end = (alive: boolean) => {
      clearTimeout(timer)
      socket.off('data', heard).off('close', closed)
      resolve(alive)
    }
    const heard = () => end(true)
    const closed = () => end(false)
    const timer = setTimeout(closed, within)
    socket.on('data', heard).on('close', closed)
    ask(session)
  })
}

function ask(session: Http2Session): void {
  if (session.destroyed || session.closed) return
  // Any response is a sign of life, so the callback does nothing.
  session.ping(() => {})
}
