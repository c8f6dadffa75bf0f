import { sinceQuery } from './log-flags.ts'

const forms = 'RFC 3339, seconds since the epoch, or a duration such as 10m or 2d'

/** Flags of lists that are sorted by time. */
export const rangeFlags = {
  '--since <time>': `Only entries since this time: ${forms}`,
  '--until <time>': `Only entries before this time: ${forms}`,
} as const

/** Returns the query parameters for these flags. */
export const rangeQuery = (flags: { since?: string; until?: string }, now: number) => ({
  since: sinceQuery(flags.since, now),
  until: sinceQuery(flags.until, now, '--until'),
})

/**
 * Returns the moment right after an entry, in RFC 3339, to list older entries with `--until`. That
 * list repeats the entry, because other entries of the same moment may have been left out.
 */
export const momentAfter = (time: string): string => new Date(Date.parse(time) + 1).toISOString()

/**
 * Returns a function that tells the flag for listing what a truncated list left out, or undefined
 * if the list is empty.
 *
 * @param timeOf returns the time of an entry, RFC 3339
 */
export const olderThan =
  <Entry>(timeOf: (entry: Entry) => string) =>
  (entries: readonly Entry[]): string | undefined => {
    const last = entries.at(-1)
    return last && `older ones: --until ${momentAfter(timeOf(last))}`
  }
