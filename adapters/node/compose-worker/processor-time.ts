import { readFileSync } from 'node:fs'
import { hasCode } from '../../../functions/core/errors.ts'

/** Linux reports hundredths of a second, whatever the frequency of its clock. */
const millisecondsPerTick = 10

/**
 * Returns the CPU time of all threads of a process in milliseconds, or undefined if the system does
 * not report it.
 */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses can contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return Number.isFinite(ticks) ? ticks * millisecondsPerTick : undefined
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ESRCH')) throw error
    return undefined
  }
}
