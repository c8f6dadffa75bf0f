import { must } from '../must.ts'

const unitNanoseconds: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

/** Converts a duration in canonical form (`"1m30s"`, `"-1s"`) to nanoseconds. */
export function nanoseconds(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined
  let total = 0
  for (const [, amount, unit = ''] of duration.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)) {
    total += Number(amount) * must(unitNanoseconds[unit], `unit ${unit}`)
  }
  return Math.round(duration.startsWith('-') ? -total : total)
}

/** Converts a duration in canonical form to whole seconds. Drops a fraction, as docker compose. */
export function seconds(duration: string | undefined): number | undefined {
  const value = nanoseconds(duration)
  return value === undefined ? undefined : Math.trunc(value / 1e9)
}

/** Converts a size in canonical form (`"268435456"`) to bytes. */
export function bytes(size: string | number | undefined): number | undefined {
  return size === undefined ? undefined : Number(size)
}
