import { bytes, memory, moment, percent } from './units.ts'

/** Mean and largest value of a figure; null if it was not measured. */
type Level = { mean: number; max: number } | null

interface UsagePoint {
  time: string
  cpu_percent: Level
  memory: Level
  network_rx: Level
  network_tx: Level
  block_read: Level
  block_write: Level
}

/** The columns of a history of a host or container. Rates are bytes a second. */
export const usageColumns = [
  { head: 'TIME', text: ({ time }: UsagePoint) => moment(time) },
  { head: 'CPU %', text: (one: UsagePoint) => meanOf(one.cpu_percent, percent) },
  { head: 'CPU MAX', text: (one: UsagePoint) => maxOf(one.cpu_percent, percent) },
  { head: 'MEMORY', text: (one: UsagePoint) => meanOf(one.memory, memory) },
  { head: 'MEM MAX', text: (one: UsagePoint) => maxOf(one.memory, memory) },
  { head: 'NET I/O', text: (one: UsagePoint) => rates(one.network_rx, one.network_tx) },
  { head: 'BLOCK I/O', text: (one: UsagePoint) => rates(one.block_read, one.block_write) },
]

const meanOf = (level: Level, format: (value: number) => string) => level && format(level.mean)
const maxOf = (level: Level, format: (value: number) => string) => level && format(level.max)

/** Returns what came in and went out a second, or undefined if it was not measured. */
const rates = (into: Level, out: Level): string | undefined =>
  into && out ? `${bytes(into.mean)}/s / ${bytes(out.mean)}/s` : undefined
