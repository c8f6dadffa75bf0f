import type { ClientHttp2Session, ServerHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/hosts/agent-protocol.ts'

/** Milliseconds over which throughput is measured. */
const measured = 250

/**
 * Adjusts the connection's window to the bytes received in one second. Data queued on a slow line
 * delays every other stream, and a window for a fast line takes minutes to drain at 1 Mbit/s. While
 * the round trip is below a second the peer fills the window in less than a second, so the window
 * grows until the line is the limit.
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
