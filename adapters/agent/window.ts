import type { ClientHttp2Session, ServerHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'

/** Milliseconds over which it is measured what comes. */
const measured = 250

/**
 * Lets the peer have under way what comes in a second, and no more than that: what waits on a slow line is in the way of
 * every other stream, and a window that suits a fast one is minutes of 1 Mbit/s. A line of less than a second of round
 * trip fills its window, which grows by that until it is the line that limits.
 */
export function fitWindow(session: ClientHttp2Session | ServerHttp2Session, socket: Duplex): void {
  const { connectionWindowMin: min, connectionWindow: max } = agentProtocol
  let size: number = min
  let bytes = 0
  let begun = performance.now()
  session.setLocalWindowSize(size)
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    const now = performance.now()
    if (now - begun < measured || session.destroyed) return
    const second = Math.round((bytes / (now - begun)) * 1000)
    const fit = Math.min(max, Math.max(min, second, Math.floor(size / 2)))
    bytes = 0
    begun = now
    if (fit === size) return
    size = fit
    session.setLocalWindowSize(size)
  })
}
