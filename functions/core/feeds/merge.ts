/** What several sources bring, in the order in which it comes; sources can be added while it goes on. */
export interface Merge<T> extends AsyncIterable<T> {
  /** Each source brings its next thing when its last one was taken. What it throws ends the whole. */
  add(source: AsyncIterable<T>): void
  /** Nothing is added any more: it ends with its last source. */
  close(): void
}

/** An empty merge. It ends with the signal. */
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
