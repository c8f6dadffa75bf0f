/** Milliseconds. The deadline of one call, including its retries. */
export const callDeadline = 2500
/**
 * Milliseconds. The deadline of a call right after a timeout, for example one that releases a
 * lease.
 */
const shortDeadline = 200
/** Milliseconds after a timeout in which calls have the short deadline. */
const following = 500

/**
 * Returns the deadlines for calls of the store. A call right after a timeout, such as one that
 * releases a lease, has a short deadline, so that a whole request stays below three seconds. Only a
 * full timeout shortens the next calls, so a slow store is never locked out.
 */
export function storeDeadlines(now: () => number = () => performance.now()) {
  let followingUntil = Number.NEGATIVE_INFINITY
  return {
    /** Makes a call with a signal that aborts at the deadline. */
    async within<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const full = now() >= followingUntil
      const deadline = new AbortController()
      const timer = setTimeout(
        () => {
          if (full) followingUntil = now() + following
          deadline.abort()
        },
        full ? callDeadline : shortDeadline,
      )
      try {
        return await call(deadline.signal)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
