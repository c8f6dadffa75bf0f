import type { Io, Out } from './io.ts'
import { type Column, painter, tableLines } from './print.ts'
import type { StatsMessage } from './records.ts'
import { cut } from './text.ts'
import { bytes, memory, shortId } from './units.ts'

/** The resource usage of a container at one moment. */
export type StatsSample = Exclude<StatsMessage, { end: unknown }>

/** A container and its latest sample. */
export interface StatsRow {
  id: string
  name: string
  sample: StatsSample
}

const percent = (value: number) => `${value.toFixed(2)}%`

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

/**
 * Returns a table that overwrites its previous lines in a single write. It therefore does not
 * flicker, and nothing has to be restored.
 */
export function statsPicture({ stdout, env }: Pick<Io, 'stdout' | 'env'>): StatsPicture {
  const paint = painter(stdout, env)
  let height = 0
  return {
    draw(rows, notice) {
      const [head = '', ...rest] = linesThatFit(rows, notice, stdout)
      const lines = [paint('bold', head), ...rest]
      const up = height === 0 ? '' : `\u001b[${height}A\r`
      stdout.write(`${up}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
      height = lines.length
    },
  }
}

/** Cuts lines and rows to the terminal. Lines that wrap or scroll could not be overwritten. */
function linesThatFit(
  rows: readonly StatsRow[],
  notice: string,
  { columns = 80, rows: height = 24 }: Out,
): string[] {
  const lines = tableLines(rows, statsColumns, (_style, text) => text)
  const room = Math.max(2, height - (notice ? 2 : 1))
  if (lines.length > room) {
    lines.splice(room - 1)
    lines.push(`and ${rows.length - lines.length + 1} more`)
  }
  if (notice) lines.push(notice)
  return lines.map((line) => cut(line, Math.max(10, columns - 1)))
}
