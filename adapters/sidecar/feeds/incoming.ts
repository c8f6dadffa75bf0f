/** A client's messages, queued until the feed reads them. */
export interface Incoming extends AsyncIterable<string | Uint8Array> {
  push(message: string | Uint8Array): void
  end(): void
  /** Bytes in the queue, with an allowance for each message: empty ones take memory too. */
  readonly size: number
}

/** What a message in the queue takes apart from its content. Bytes. */
const allowance = 128

const costOf = (message: string | Uint8Array) => Buffer.byteLength(message) + allowance

/** Returns a queue for one reader. Calls `taken` each time a message leaves the queue. */
export function incomingQueue(taken: () => void): Incoming {
  const waiting: (string | Uint8Array)[] = []
  let size = 0
  let isOver = false
  let wake = () => {}
  return {
    get size() {
      return size
    },
    push(message) {
      waiting.push(message)
      size += costOf(message)
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const message = waiting.shift()
        if (message !== undefined) {
          size -= costOf(message)
          taken()
          yield message
        } else if (isOver) return
        else {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    },
  }
}
