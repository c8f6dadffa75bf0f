import { Cron } from 'croner'

/**
 * Names of months and days, numbers, lists, ranges and steps: the syntax that all cron
 * implementations accept.
 */
const field = /^[0-9A-Za-z*/,-]+$/
const words = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)$/i

/** Returns what is wrong with a cron expression of five fields in a time zone, or undefined. */
export function scheduleProblem(schedule: string, timezone: string): string | undefined {
  const fields = schedule.trim().split(/\s+/)
  if (fields.length !== 5)
    return 'must have five fields: minute, hour, day of month, month, day of week'
  for (const one of fields) {
    const letters = one.match(/[A-Za-z]+/g) ?? []
    if (!field.test(one) || !letters.every((word) => words.test(word))) {
      return `${JSON.stringify(one)} is not a valid cron field`
    }
  }
  try {
    const next = cronOf(schedule, timezone).nextRun(new Date(0))
    return next ? undefined : 'never matches a time'
  } catch {
    return 'is not a valid cron expression'
  }
}

/** Returns whether a name is an IANA time zone, such as `Europe/Berlin` or `UTC`. */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/**
 * Returns the next time of a schedule after an instant, in milliseconds since the epoch; null for
 * never. A run in a skipped hour of a time change starts right after it; one in a repeated hour
 * runs once.
 */
export function nextRun(schedule: string, timezone: string, after: number): number | null {
  return cronOf(schedule, timezone).nextRun(new Date(after))?.getTime() ?? null
}

const cronOf = (schedule: string, timezone: string) =>
  new Cron(schedule.trim(), { timezone, mode: '5-part' })
