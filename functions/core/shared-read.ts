import type { Clock } from './runtime.ts'

/** Reads once in so many milliseconds for all who ask: what they get is so old at most, and the same for all. */
export function sharedRead<T>(
  read: () => Promise<T>,
  milliseconds: number,
  clock: Pick<Clock, 'now'>,
): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    const now = clock.now()
    if (last && now >= last.at && now - last.at < milliseconds) return last.value
    const mine = { at: now, value: read() }
    last = mine
    // One that failed is not kept.
    mine.value.catch(() => {
      if (last === mine) last = undefined
    })
    return mine.value
  }
}
