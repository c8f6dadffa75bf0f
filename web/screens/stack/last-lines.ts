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
  const all = [...known, ...more]
  // Sorting keeps the order of lines of the same time.
  return all
    .sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0))
    .slice(-max)
}
