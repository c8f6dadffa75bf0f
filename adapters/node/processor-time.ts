import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever its clock is. */
const millisecondsPerTick = 10

/**
 * Returns for how long a process has had a processor, all its threads together, in milliseconds; undefined where the
 * system does not say.
 */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * millisecondsPerTick : undefined
  } catch {
    return undefined
  }
}
