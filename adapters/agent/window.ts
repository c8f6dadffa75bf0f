import type { ClientHttp2Session, ServerHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import { agentProtocol } from '../../functions/core/records/agent-protocol.ts'
import { roundTripOf } from './round-trip.ts'

/** Milliseconds over which throughput is measured. */
const measured = 250
/** HTTP/2 acknowledges half a window at a time, so two round trips of data keep a line busy. */
const roundTrips = 2
/**
 * Bytes for the time that the programs at both ends wait for a processor. With half of it,
 * transfers on a busy machine lose a tenth.
 */
const slack = 1024 ** 2

/**
 * Adjusts the connection's window: the bytes that the peer may have sent without an
 * acknowledgement. It follows the throughput and the round trip, and is never more than what
 * arrives in one second. More would only wait in queues, in front of every other stream: 4 MiB for
 * half a minute once a fast line drops to 1 Mbit/s.
 */
export function fitWindow(session: ClientHttp2Session | ServerHttp2Session, socket: Duplex): void {
  const { connectionWindowMin: min, connectionWindow: max, measuringWindow } = agentProtocol
  let received = 0
  const roundTrip = roundTripOf(session)
  let size: number = min
  let applied = 0
  let before = 0
  let start = { at: performance.now(), received }

  const apply = (window: number) => {
    if (window !== applied) session.setLocalWindowSize(window)
    applied = window
  }
  const sizeAt = (rate: number) => {
    // At most one window arrives in a round trip. The factor 4 allows for bursts.
    roundTrip.limit((4 * Math.max(applied, before)) / rate)
    before = applied
    const wanted = Math.min(rate * 1000, roundTrips * rate * roundTrip.milliseconds + slack)
    return Math.min(max, Math.max(min, Math.floor(size / 2), Math.round(wanted)))
  }
  apply(min)
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (session.destroyed || roundTrip.isMeasuring) return
    const now = performance.now()
    const isOver = applied === measuringWindow
    if (!isOver && now - start.at < measured) return
    const rate = (received - start.received) / (now - start.at)
    start = { at: now, received }
    // The rate of a measurement, with its small window, says nothing about the line.
    if (!isOver) size = sizeAt(rate)
    if (!isOver && rate * 1000 > min) roundTrip.measure()
    apply(roundTrip.isMeasuring ? measuringWindow : size)
  })
}
