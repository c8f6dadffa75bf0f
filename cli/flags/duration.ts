import { wrongUsage } from '../failure.ts'

const seconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

export type DurationUnit = keyof typeof seconds

/** Any duration is shorter, so that dates can be reckoned with it: 100 000 days, in seconds. */
const longest = 100_000 * seconds.d

/**
 * Returns the seconds of a duration such as `90s`, `1h30m` or `2d`, or undefined for any other
 * text. A number alone is in the unit `plain`; without `plain` it is not a duration.
 */
export function parseDuration(text: string, plain?: DurationUnit): number | undefined {
  const whole = plain && /^\d+$/.test(text) ? `${text}${plain}` : text
  if (!/^(?=\d)(\d+d)?(\d+h)?(\d+m)?(\d+s)?$/.test(whole)) return undefined
  const total = [...whole.matchAll(/(\d+)([smhd])/g)]
    .map(([, count, unit]) => Number(count) * seconds[unit as DurationUnit])
    .reduce((sum, part) => sum + part, 0)
  return total <= longest ? total : undefined
}

/** Returns the seconds that a flag says. Throws wrong usage for anything else than a duration. */
export function durationOf(flag: string, text: string, plain?: DurationUnit): number {
  const found = parseDuration(text, plain)
  if (found !== undefined) return found
  throw wrongUsage(`${flag} ${JSON.stringify(text)}: must be a duration such as 90s, 1h30m or 2d`)
}
