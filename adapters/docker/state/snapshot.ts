/** A list that is only read from the Engine if it may have changed. */
export interface Snapshot<T> {
  /**
   * Returns a value that is not older than the last `invalidate`, and identical while nothing has
   * changed.
   */
  get(): Promise<T>
  invalidate(): void
}

/** Reads a list as text, so that an unchanged response is recognised, and parses it. */
export interface SnapshotSource<T> {
  fetch(): Promise<string>
  parse(text: string): T | Promise<T>
  /** Milliseconds that a value may be cached without a sign of change. */
  lifetime(value: T): number
}

interface Reading<T> {
  generation: number
  at: number
  promise: Promise<T>
  state: 'pending' | 'read' | 'failed'
}

/**
 * Caches the last read and shares a read in progress. Never returns a read that began before an
 * invalidation.
 */
export function snapshot<T>(source: SnapshotSource<T>): Snapshot<T> {
  let generation = 0
  let current: Reading<T> | undefined
  let last: { text: string; value: T | Promise<T> } | undefined
  let lifetime = 0

  async function read(): Promise<T> {
    const text = await source.fetch()
    const parsed = last?.text === text ? last : { text, value: source.parse(text) }
    // Set before the value is awaited, so that another read of the same text shares it.
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
      const setState = (state: 'read' | 'failed') => () => {
        reading.state = state
      }
      reading.promise.then(setState('read'), setState('failed'))
      current = reading
      return reading.promise
    },
    invalidate() {
      generation += 1
    },
  }
}
