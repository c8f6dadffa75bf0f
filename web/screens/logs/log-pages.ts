import type { LogLine } from './log-ring.ts'

/** Lines that are read at once, which is the most that the service returns. */
export const pageSize = 1000

/** A part of a log, in the order of its times. */
export interface LogPage {
  lines: LogLine[]
  /** There are no older lines. */
  isFirst: boolean
}

/**
 * Merges the last lines of several logs into a page. The page has no gap: where a log was cut,
 * older lines of the others wait for the next page.
 *
 * @param replies the last lines of each log, at most `size` of each
 */
export function mergePage(replies: readonly (readonly LogLine[])[], size = pageSize): LogPage {
  const all = replies.flat().sort(byTime)
  const isWhole = replies.every(({ length }) => length < size) && all.length <= size
  return { lines: all.slice(Math.max(0, all.length - size)), isFirst: isWhole }
}

/** Orders lines by their times. Sorting keeps the order of lines of the same time. */
export const byTime = (one: LogLine, other: LogLine): number =>
  one.time < other.time ? -1 : one.time > other.time ? 1 : 0

/** Returns the earliest time of lines, which are nearly in their order. Notes have none. */
export function earliest(lines: readonly LogLine[]): string | undefined {
  let least: string | undefined
  for (const { time, kind } of lines) {
    if (kind !== 'note' && (least === undefined || time < least)) least = time
  }
  return least
}

/**
 * Returns the lines of a page that was read up to the earliest time of the lines that are there.
 * Lines of that very time can be in both.
 */
export function olderThan(page: readonly LogLine[], there: readonly LogLine[]): LogLine[] {
  const oldest = earliest(there)
  if (oldest === undefined) return [...page]
  const known = new Map<string, number>()
  for (const line of there) {
    if (line.time === oldest) known.set(keyOf(line), (known.get(keyOf(line)) ?? 0) + 1)
  }
  const isKnown = (line: LogLine) => {
    if (line.time !== oldest) return line.time > oldest
    const left = known.get(keyOf(line)) ?? 0
    known.set(keyOf(line), left - 1)
    return left > 0
  }
  return page
    .toReversed()
    .filter((line) => !isKnown(line))
    .reverse()
}

const keyOf = ({ origin = '', source, kind, text }: LogLine) =>
  JSON.stringify([origin, source, kind, text])

/** Returns the time a nanosecond before that of a line. */
export function justBefore(time: string): string {
  const [, seconds = '', fraction = ''] = /^([^.Z]*)(?:\.(\d{1,9}))?/.exec(time) ?? []
  const nanos = Number(fraction.padEnd(9, '0'))
  if (nanos > 0) return `${seconds}.${String(nanos - 1).padStart(9, '0')}Z`
  const before = new Date(Date.parse(`${seconds}Z`) - 1000).toISOString().slice(0, 19)
  return `${before}.999999999Z`
}
