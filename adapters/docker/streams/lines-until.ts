import type { LogLine } from '../../../functions/core/records/container.ts'

/** Lines of a log that were written up to a time. */
export interface ReadLines {
  /** The last ones, at most as many as are wanted. */
  lines: LogLine[]
  /** How many there were. */
  count: number
}

/** The steps in which more of a log is read, and the number of lines from which on it is all. */
const growth = 4
const wholeFrom = 1_000_000

/**
 * Returns the last `wanted` lines that were written up to a time. The Engine counts `tail` from the
 * end of a log and leaves out later lines only then, so that a longer tail is read until it
 * reaches far enough.
 *
 * @param read returns those among the last lines of the log, whatever their number, that were
 *   written up to the time
 */
export async function linesUntil(
  wanted: number,
  read: (tail: number | 'all') => Promise<ReadLines>,
): Promise<LogLine[]> {
  if (wanted === 0) return []
  let before: ReadLines = { lines: [], count: 0 }
  for (let tail = growth * wanted; tail < wholeFrom; ) {
    const found = await read(tail)
    if (found.count >= wanted || isSame(found, before)) return found.lines
    before = found
    // What is later is known now. Twice of it, because the container goes on to write.
    const reach = 2 * (tail - found.count + wanted)
    tail = found.count > 0 && reach > tail ? reach : growth * tail
  }
  return (await read('all')).lines
}

/** Returns whether a longer tail had no older lines: then there are none. */
const isSame = (found: ReadLines, before: ReadLines) =>
  before.count > 0 && found.count === before.count && found.lines[0]?.time === before.lines[0]?.time
