/** The most that one call may take, its repetitions included. Milliseconds. */
const patient = 2500
/** The same for calls that follow at once on one that took too long: a lease is given back, a row is written. */
const impatient = 200
/** How long after that it still counts as following. */
const following = 500

/**
 * Deadlines for calls of the store. Whoever lost his patience and calls once more, as to give a lease back, does not wait
 * as long again: a request as a whole stays under three seconds. Only a full wait shortens the next ones, so a store
 * that is slow and not dead is never cut off for good.
 */
export function storeDeadlines(now: () => number = () => performance.now()) {
  let followingUntil = Number.NEGATIVE_INFINITY
  return {
    /** Calls with a signal that is aborted at the deadline. */
    async within<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const full = now() >= followingUntil
      const deadline = new AbortController()
      const timer = setTimeout(
        () => {
          if (full) followingUntil = now() + following
          deadline.abort()
        },
        full ? patient : impatient,
      )
      try {
        return await call(deadline.signal)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
