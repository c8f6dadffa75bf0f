import { sinceQuery } from './log-flags.ts'

const forms = 'RFC 3339, seconds since the epoch, or a duration such as 10m or 2d'

/** Flags of lists that are sorted by time. */
export const rangeFlags = {
  '--since <time>': `Only entries since this time: ${forms}`,
  '--until <time>': `Only entries before this time: ${forms}`,
} as const

/** Returns the query for the flags. */
export const rangeQuery = (flags: { since?: string; until?: string }, now: number) => ({
  since: sinceQuery(flags.since, now),
  until: sinceQuery(flags.until, now, '--until'),
})

/**
 * Returns the moment right after an entry, RFC 3339: the service returns what is before it. Entries
 * of the same moment may have been left out, and so the entry itself is returned again.
 */
export const momentAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString()

/**
 * Returns how to reach the entries that a truncated list left out.
 *
 * @param timeOf returns the time of an entry, RFC 3339
 */
export const olderThan =
  <Entry>(timeOf: (entry: Entry) => string) =>
  (entries: readonly Entry[]): string | undefined => {
    const last = entries.at(-1)
    return last && `older ones: --until ${momentAfter(timeOf(last))}`
  }
