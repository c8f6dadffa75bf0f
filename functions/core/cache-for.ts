import { onRejection } from './promises.ts'
/**
 * Caches the result of `read` for `milliseconds`, counted from the start of the read by the clock
 * `now`. Concurrent callers share one read. A failed read is not cached. `forget` drops the cached
 * result.
 */
export function cacheFor<T>(read: () => Promise<T>, milliseconds: number, now: () => number) {
  let known: { at: number; answer: Promise<T> } | undefined
  return {
    get(): Promise<T> {
      const at = now()
      // The clock may be set back.
      if (known && at >= known.at && at - known.at < milliseconds) return known.answer
      const entry = { at, answer: read() }
      known = entry
      return onRejection(entry.answer, () => {
        if (known === entry) known = undefined
      })
    },
    invalidate() {
      known = undefined
    },
  }
}
