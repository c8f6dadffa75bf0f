import type { Engine } from '../ports/engine.ts'
import type { Source } from '../ports/streams.ts'
import type { ContainerStats } from '../records/container.ts'
import type { BroadcastItem } from '../streams/broadcast.ts'
import { type Encoded, EncodedText } from '../streams/message.ts'
import { exitCodeOf, isGone } from './exit-code.ts'

/** Stats of a container, encoded once for all followers. */
export type StatsChunk = BroadcastItem & Encoded

/** Publishes the stats of a container until it stops or is removed, then its exit code. */
export function statsSource(engine: Engine, id: string): Source<StatsChunk> {
  return async (out, signal) => {
    try {
      for await (const stats of engine.stats(id, signal)) {
        out.publish(chunkOf(messageOf(stats)))
        await out.ready()
      }
    } catch (error) {
      if (!isGone(error)) throw error
    }
    const exitCode = await exitCodeOf(engine, id)
    out.publish({ ...chunkOf({ end: { exit_code: exitCode } }), exitCode })
  }
}

function chunkOf(message: object): StatsChunk {
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
