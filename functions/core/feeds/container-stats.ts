import type { ContainerStats, Engine } from '../engine/engine.ts'
import type { Piece } from './broadcast.ts'
import { exitCodeOf } from './exit-code.ts'
import { type Encoded, EncodedText } from './message.ts'
import type { Source } from './ports.ts'

/** Stats of a container, encoded once for all followers. */
export type StatsPiece = Piece & Encoded

/** Publishes the stats of a container until it stops, then its exit code. */
export function statsSource(engine: Engine, id: string): Source<StatsPiece> {
  return async (out, signal) => {
    for await (const stats of engine.stats(id, signal)) {
      out.publish(pieceOf(messageOf(stats)))
      await out.ready()
    }
    out.publish(pieceOf({ end: { exit_code: await exitCodeOf(engine, id) } }))
  }
}

function pieceOf(message: object): StatsPiece {
  const { bytes } = new EncodedText(JSON.stringify(message))
  return { bytes, size: bytes.length }
}

const messageOf = (stats: ContainerStats) => ({
  time: stats.time,
  cpu_percent: stats.cpuPercent,
  cpus: stats.cpus,
  memory: stats.memory,
  memory_limit: stats.memoryLimit,
  memory_percent: stats.memoryPercent,
  network_rx: stats.networkRx,
  network_tx: stats.networkTx,
  block_read: stats.blockRead,
  block_write: stats.blockWrite,
  pids: stats.pids,
})
