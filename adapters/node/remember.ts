/**
 * A read that is done at most once in `milliseconds`, counted from its start, however many ask. An answer that failed is
 * not remembered. `forget` makes the next one a fresh read.
 */
export function remember<T>(read: () => Promise<T>, milliseconds: number) {
  let known: { at: number; answer: Promise<T> } | undefined
  return {
    get(): Promise<T> {
      const now = performance.now()
      if (known && now - known.at < milliseconds) return known.answer
      const entry = { at: now, answer: read() }
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
