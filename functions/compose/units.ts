import { must } from './must.ts'

/**
 * Parses a size such as `64m`, `1.5 GB` or `2gib` into bytes; units are binary. Returns undefined
 * if it is not a size.
 */
export function parseBytes(text: string): bigint | undefined {
  const parts = /^(-?\d+(?:\.\d+)?)\s*([kmgtp]?)(?:i?b)?$/i.exec(text.trim())
  if (!parts) return undefined
  const [, amount = '', unit = ''] = parts
  const power = 'kmgtp'.indexOf(unit.toLowerCase()) + 1
  const factor = unit ? 1024n ** BigInt(power) : 1n
  if (/^-?\d+$/.test(amount)) return BigInt(amount) * factor
  return BigInt(Math.trunc(Number(amount) * Number(factor)))
}

const second = 1_000_000_000n
const minute = 60n * second

const nanoseconds: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: second,
  m: minute,
  h: 3_600_000_000_000n,
  d: 86_400_000_000_000n,
  w: 604_800_000_000_000n,
}

/** The maximum duration in nanoseconds: 64 bits, about 292 years. */
const durationMax = 2n ** 63n - 1n

/**
 * Parses a duration such as `1m30s`, `1.5h` or `2d` into nanoseconds. Returns undefined if it is
 * not a duration. A bare `0` is one.
 */
export function parseDuration(text: string): bigint | undefined {
  const parts = /^([-+]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|[smhdw]))+$/.exec(text)
  if (!parts) return /^[-+]?0$/.test(text) ? 0n : undefined
  let total = 0n
  for (const [, amount = '', unit = ''] of text.matchAll(
    /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|[smhdw])/g,
  )) {
    const [whole = '0', fraction = ''] = amount.split('.')
    const scale = must(nanoseconds[unit], `unit ${unit}`)
    const part = fraction === '' ? 0n : (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length)
    total += BigInt(whole || '0') * scale + part
  }
  if (total > durationMax) return undefined
  return parts[1] === '-' ? -total : total
}

/** Formats a duration as the Compose tools do: `1m30s`, `500ms`, `0s`. */
export function printDuration(value: bigint): string {
  if (value === 0n) return '0s'
  const sign = value < 0n ? '-' : ''
  const size = value < 0n ? -value : value
  if (size < 1_000n) return `${sign}${size}ns`
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`
  const seconds = decimal(size % minute, second)
  const minutes = size / minute
  if (minutes === 0n) return `${sign}${seconds}s`
  if (minutes < 60n) return `${sign}${minutes}m${seconds}s`
  return `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`
}

function decimal(value: bigint, unit: bigint): string {
  const width = unit.toString().length - 1
  const fraction = (value % unit).toString().padStart(width, '0').replace(/0+$/, '')
  return `${value / unit}${fraction && '.'}${fraction}`
}

/**
 * Rounds a number to 32 bits and returns the shortest decimal that identifies the result. The
 * model's `cpus` has no more precision.
 */
export function toFloat32(value: number): number {
  const nearest = Math.fround(value)
  for (let digits = 1; digits <= 9; digits++) {
    const short = Number(nearest.toPrecision(digits))
    if (Math.fround(short) === nearest) return short
  }
  return nearest
}
