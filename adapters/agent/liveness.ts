import type { Http2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'

/** Milliseconds between pings, and milliseconds of silence after which the peer is dead. */
export type PingTimes = Record<'ping' | 'silence', number>

/** Milliseconds between checks. */
const checkInterval = 500
/**
 * Milliseconds. A process that was suspended for longer gives the peer this much time before it
 * cuts the connection.
 */
const suspensionMax = 3_000

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
  let lastReceived = performance.now()
  let lastCheck = lastReceived
  let lastPing = lastReceived
  socket.on('data', () => {
    lastReceived = performance.now()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    if (now - lastCheck > suspensionMax)
      lastReceived = Math.max(lastReceived, now - silence + suspensionMax)
    lastCheck = now
    if (now - lastReceived >= silence) return void socket.destroy()
    if (now - lastPing < ping) return
    lastPing = now
    sendPing(session)
  }, checkInterval)
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
      socket.off('data', onData).off('close', onClose)
      resolve(alive)
    }
    const onData = () => end(true)
    const onClose = () => end(false)
    const timer = setTimeout(onClose, within)
    socket.on('data', onData).on('close', onClose)
    sendPing(session)
  })
}

function sendPing(session: Http2Session): void {
  if (session.destroyed || session.closed) return
  // Any response is a sign of life, so the callback does nothing.
  session.ping(() => {})
}
