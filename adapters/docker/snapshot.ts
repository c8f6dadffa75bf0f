/** A list that is asked of the Engine only when it may have changed. */
export interface Snapshot<T> {
  /** Not older than the last `invalidate` before the call; the very same value while nothing changed. */
  get(): Promise<T>
  invalidate(): void
}

/** How a list is read: as text, so that an unchanged answer is told at once, and from text to the value. */
export interface SnapshotSource<T> {
  fetch(): Promise<string>
  parse(text: string): T | Promise<T>
  /** Milliseconds that a value may be kept without a sign of change. */
  lifetime(value: T): number
}

interface Reading<T> {
  generation: number
  at: number
  promise: Promise<T>
  state: 'pending' | 'read' | 'failed'
}

/** Keeps the last reading, shares one that is under way, and never hands out one begun before an invalidation. */
export function snapshot<T>(source: SnapshotSource<T>): Snapshot<T> {
  let generation = 0
  let current: Reading<T> | undefined
  let last: { text: string; value: T | Promise<T> } | undefined
  let lifetime = 0

  async function read(): Promise<T> {
    const text = await source.fetch()
    const parsed = last?.text === text ? last : { text, value: source.parse(text) }
    // Before it is awaited: another reading of the same text shares it.
    last = parsed
    try {
      const value = await parsed.value
      lifetime = source.lifetime(value)
      return value
    } catch (error) {
      if (last === parsed) last = undefined
      throw error
    }
  }

  return {
    get() {
      if (current?.generation === generation) {
        const young = performance.now() - current.at < lifetime
        if (current.state === 'pending' || (current.state === 'read' && young))
          return current.promise
      }
      const reading: Reading<T> = {
        generation,
        at: performance.now(),
        promise: read(),
        state: 'pending',
      }
      const settle = (state: 'read' | 'failed') => () => {
        reading.state = state
      }
      reading.promise.then(settle('read'), settle('failed'))
      current = reading
      return reading.promise
    },
    invalidate() {
      generation += 1
    },
  }
}
