const first = 500
const longest = 30_000

/**
 * Returns the milliseconds to wait before the next dial after this many consecutive failures (0 for
 * the first). The delay doubles up to 30 s. `random` (0 to 1) spreads it between 20 % and 100 %, so
 * that a fleet does not reconnect all at once.
 */
export function reconnectDelay(failures: number, random: number): number {
  const whole = Math.min(longest, first * 2 ** Math.min(failures, 16))
  return Math.round(whole * (0.2 + 0.8 * random))
}
