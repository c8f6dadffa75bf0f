const first = 500
const longest = 30_000

/**
 * Milliseconds to wait before dialling again after that many failures in a row (0 for the first): twice as long each
 * time up to half a minute, of which a random part (`random` from 0 to 1) is taken so that a fleet does not come at once.
 */
export function reconnectDelay(failures: number, random: number): number {
  const whole = Math.min(longest, first * 2 ** Math.min(failures, 16))
  return Math.round(whole * (0.2 + 0.8 * random))
}
