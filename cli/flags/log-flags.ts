import { wrongUsage } from '../failure.ts'
import { clean } from '../output/text.ts'
import { parseDuration } from './duration.ts'

/** Flags of commands that print logs. */
export const logFlags = {
  '-n, --tail <lines>': 'Number of last lines, 0 to 1000; defaults to 100',
  '--since <time>':
    'Only lines after this time: RFC 3339, seconds since the epoch, or a duration such as 10m or 2h',
  '--until <time>':
    'Only lines up to this time, in the same formats; -n counts from the last of them',
  '--timestamps': 'Begin each line with the time at which it was written',
} as const

/** The flag of commands that can follow a log. */
export const followFlag = { '-f, --follow': 'Follow new lines' } as const

/** Returns the query for the flags. Throws wrong usage for invalid ones. */
export function logQuery(
  flags: { tail?: string; since?: string; until?: string; follow?: boolean },
  now: number,
) {
  const { tail, since, until, follow } = flags
  if (tail !== undefined && (!/^\d{1,4}$/.test(tail) || Number(tail) > 1000)) {
    throw wrongUsage(`--tail ${JSON.stringify(tail)}: must be a number of lines from 0 to 1000`)
  }
  if (until !== undefined && follow) {
    throw wrongUsage('--until: cannot be used with --follow, which has no end')
  }
  return { tail, since: sinceQuery(since, now), until: sinceQuery(until, now, '--until') }
}

/** Returns the beginning of a line that was written at this time. */
export const stampOf = (time: string, { timestamps }: { timestamps: boolean }): string =>
  timestamps ? `${clean(time)} ` : ''

/**
 * Returns the query value for `--since` or another flag that is a time. A duration becomes the
 * instant that long before `now`. Throws wrong usage for anything else than a time or duration.
 */
export function sinceQuery(since: string | undefined, now: number, flag = '--since') {
  if (since === undefined) return undefined
  const text = instant(since, now)
  if (/^\d{1,12}(\.\d{1,9})?$/.test(text) || isTime(text)) return text
  throw wrongUsage(
    `${flag} ${JSON.stringify(since)}: must be a time as RFC 3339, such as 2026-06-01T12:00:00Z, seconds since the epoch, or a duration such as 10m`,
  )
}

/** Returns whether a text is a time that the service understands. */
export const isTime = (text: string) => !Number.isNaN(Date.parse(text))

function instant(since: string, now: number): string {
  const seconds = parseDuration(since)
  return seconds === undefined ? since : new Date(now - seconds * 1000).toISOString()
}

/** Converts a `since` that the service accepted to milliseconds since the epoch. */
export const epochOf = (since: string): number =>
  /^\d+(\.\d+)?$/.test(since) ? Number(since) * 1000 : Date.parse(since)
