import { byTime } from '../logs/log-pages.ts'
import type { LogLine } from '../logs/log-ring.ts'

/**
 * Returns the last lines of a log with newer ones, in the order of their times. The past lines come
 * container by container.
 */
export function lastLines(
  known: readonly LogLine[],
  more: readonly LogLine[],
  max: number,
): readonly LogLine[] {
  return [...known, ...more].sort(byTime).slice(-max)
}
