/**
 * A part of a list that is sorted by time. Milliseconds since the epoch; `since` is included,
 * `until` is not.
 */
export interface TimeRange {
  since?: number | undefined
  until?: number | undefined
}

/** Returns a prefix that sorts before every id made from then on (RFC 9562, 5.7). */
export function firstIdAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

/** Returns whether the id was made in the range. */
export const isMadeIn = (id: string, { since, until }: TimeRange): boolean =>
  (since === undefined || id >= firstIdAt(since)) && (until === undefined || id < firstIdAt(until))
