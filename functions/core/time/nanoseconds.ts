/** Parses RFC 3339, or seconds since the epoch, into nanoseconds since the epoch. */
export function nanoseconds(time: string): bigint {
  const fraction = /\.(\d{1,9})/.exec(time)?.[1] ?? ''
  const [, seconds] = /^(\d+)(?:\.\d+)?$/.exec(time) ?? []
  const whole = seconds ? BigInt(seconds) : BigInt(Math.floor(Date.parse(time) / 1000))
  return whole * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))
}
