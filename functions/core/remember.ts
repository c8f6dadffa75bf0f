/**
 * A read that is done at most once in `milliseconds`, counted from its start by the clock `now`, however many ask: what they
 * get is so old at most, and the same for all. An answer that failed is not remembered. `forget` makes the next one a fresh
 * read.
 */
export function remember<T>(read: () => Promise<T>, milliseconds: number, now: () => number) {
  let known: { at: number; answer: Promise<T> } | undefined
  return {
    get(): Promise<T> {
      const at = now()
      // A clock may be set back.
      if (known && at >= known.at && at - known.at < milliseconds) return known.answer
      const entry = { at, answer: read() }
      known = entry
      entry.answer.catch(() => {
        if (known === entry) known = undefined
      })
      return entry.answer
    },
    forget() {
      known = undefined
    },
  }
}
