import type { StatsMessage } from '../api/types.ts'
import type { Io } from '../io.ts'
import { liveLines } from './live-lines.ts'
import { painter } from './paint.ts'
import { type Column, tableLines } from './table.ts'
import { bytes, memory, percent, shortId } from './units.ts'

/** The resource usage of a container at one moment. */
export type StatsSample = Exclude<StatsMessage, { end: unknown }>

/** A container and its latest sample. */
export interface StatsRow {
  id: string
  name: string
  sample: StatsSample
}

/** The columns of `docker stats`. */
export const statsColumns: readonly Column<StatsRow>[] = [
  { head: 'CONTAINER', text: ({ id }) => shortId(id) },
  { head: 'NAME', text: ({ name }) => name },
  { head: 'CPU %', text: ({ sample }) => percent(sample.cpu_percent) },
  {
    head: 'MEM USAGE / LIMIT',
    text: ({ sample }) => `${memory(sample.memory)} / ${memory(sample.memory_limit)}`,
  },
  { head: 'MEM %', text: ({ sample }) => percent(sample.memory_percent) },
  {
    head: 'NET I/O',
    text: ({ sample }) => `${bytes(sample.network_rx)} / ${bytes(sample.network_tx)}`,
  },
  {
    head: 'BLOCK I/O',
    text: ({ sample }) => `${bytes(sample.block_read)} / ${bytes(sample.block_write)}`,
  },
  { head: 'PIDS', text: ({ sample }) => sample.pids },
]

/** A table on a terminal that is redrawn in place. */
export interface StatsPicture {
  /** `notice` is a line below the rows, for connection problems. */
  draw(rows: readonly StatsRow[], notice: string): void
}

/** Returns a table that is redrawn in place. */
export function statsPicture({ stdout, env }: Pick<Io, 'stdout' | 'env'>): StatsPicture {
  const paint = painter(stdout, env)
  const lines = liveLines(stdout)
  return {
    draw(rows, notice) {
      const all = tableLines(rows, statsColumns, paint)
      const room = Math.max(2, (stdout.rows ?? 24) - (notice ? 2 : 1))
      if (all.length > room) {
        all.splice(room - 1)
        all.push(`and ${rows.length - all.length + 1} more`)
      }
      lines.draw(notice ? [...all, notice] : all)
    },
  }
}
