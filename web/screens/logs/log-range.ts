/** Which part of a log is shown. Times are RFC 3339; an end stops it from being followed. */
export interface LogRange {
  since?: string
  until?: string
}

/** The range as the address has it: `last` is a length such as `15m`. */
export interface RangeWords {
  last: string
  from: string
  to: string
}

export const lengths = ['15m', '1h', '24h'] as const

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Returns the range of an address. Ignores what it cannot read.
 *
 * @param now the time of the service, in milliseconds since the epoch
 */
export function rangeOf({ last, from, to }: RangeWords, now: number): LogRange {
  const [, count = '', unit = ''] = /^(\d{1,5})([mhd])$/.exec(last) ?? []
  if (count !== '') {
    return { since: new Date(now - Number(count) * (units[unit] ?? 0)).toISOString() }
  }
  const isValid = (time: string) => !Number.isNaN(Date.parse(time))
  return { ...(isValid(from) && { since: from }), ...(isValid(to) && { until: to }) }
}

/** Returns the value of a field for date and time, in the time zone of the browser. */
export function fieldOf(time: string): string {
  const at = new Date(time)
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19)
}

/** Returns the time of such a field, as the address has it; empty without one. */
export function timeOfField(value: string): string {
  const at = new Date(value)
  return value === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString().replace('.000Z', 'Z')
}
