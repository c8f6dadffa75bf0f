/**
 * A part of a list that is sorted by id, and so by time. Milliseconds since the epoch; `since` is
 * included, `until` is not.
 */
export interface TimeRange {
  since?: number | undefined
  until?: number | undefined
  /** Only what is older than this id, of which nothing need be left. */
  before?: string | undefined
}

/** Returns a prefix that sorts before every id made from then on (RFC 9562, 5.7). */
export function firstIdAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Returns when an id was made. Milliseconds since the epoch. */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 13).replace('-', ''), 16)

/** Returns the id before which all ids of the range sort; undefined if it has no end. */
export function endOf({ until, before }: TimeRange): string | undefined {
  const time = until === undefined ? undefined : firstIdAt(until)
  if (time === undefined || before === undefined) return time ?? before
  return time < before ? time : before
}

/** Returns whether the id was made in the range. */
export function isMadeIn(id: string, range: TimeRange): boolean {
  const end = endOf(range)
  return (
    (range.since === undefined || id >= firstIdAt(range.since)) && (end === undefined || id < end)
  )
}
