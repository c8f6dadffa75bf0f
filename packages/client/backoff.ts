const first = 500
const longest = 15_000

/**
 * Waits before the given attempt, counted from 0: half a second, doubled up to 15 s. Half of it is
 * random, so that many clients do not come back at the same moment. An abort ends the wait.
 *
 * @param least milliseconds that it takes at least
 */
export function backoff(attempt: number, signal?: AbortSignal, least = 0): Promise<void> {
  const full = Math.min(first * 2 ** Math.min(attempt, 10), longest)
  const time = Math.max(least, full / 2 + (full / 2) * Math.random())
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const timer = setTimeout(done, time)
    signal?.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
