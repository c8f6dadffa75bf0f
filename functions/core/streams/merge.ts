/** Items of several sources in order of arrival. Sources can be added during the iteration. */
export interface Merge<T> extends AsyncIterable<T> {
  /**
   * Adds a source. Its next item is requested once the previous one was consumed. An error of a
   * source ends the merge.
   */
  add(source: AsyncIterable<T>): void
  /** Declares that no source is added any more: the merge ends with its last source. */
  close(): void
}

/** Returns an empty merge. It ends when the signal aborts. */
export function merge<T>(signal: AbortSignal): Merge<T> {
  const waiting: { value: T; taken(): void }[] = []
  let sources = 0
  let isClosed = false
  let failure: { error: unknown } | undefined
  let wake = () => {}
  signal.addEventListener('abort', () => wake(), { once: true })

  async function bring(source: AsyncIterable<T>): Promise<void> {
    for await (const value of source) {
      if (signal.aborted) return
      await new Promise<void>((taken) => {
        waiting.push({ value, taken })
        wake()
      })
    }
  }
  return {
    add(source) {
      sources += 1
      bring(source)
        .catch((error) => {
          failure ??= { error }
        })
        .finally(() => {
          sources -= 1
          wake()
        })
    },
    close() {
      isClosed = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      try {
        while (!signal.aborted) {
          const next = waiting.shift()
          if (next) {
            yield next.value
            next.taken()
          } else if (failure) throw failure.error
          else if (isClosed && sources === 0) return
          else {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          }
        }
      } finally {
        for (const { taken } of waiting) taken()
      }
    },
  }
}
