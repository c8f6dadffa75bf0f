const first = 500
const most = 15_000

/**
 * Returns how long to wait before the given attempt, counted from 0: it doubles up to 15 s. Half of
 * it is random, so that the pages of many users do not come back at the same moment.
 */
export function backoff(attempt: number, random: () => number = Math.random): number {
  const full = Math.min(first * 2 ** Math.min(attempt, 10), most)
  return Math.round(full / 2 + (full / 2) * random())
}
