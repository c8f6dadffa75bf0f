import { randomBytes } from 'node:crypto'
import type { FaultProxy } from './fault-proxy.ts'

/** Yields random data, one megabyte at a time. `given` is called before each. */
export async function* megabytes(count: number, given: (bytes: number) => void = () => {}) {
  for (let piece = 0; piece < count; piece++) {
    given(1_000_000)
    yield randomBytes(1_000_000)
  }
}

/**
 * Sends `count` megabytes with `put`. Returns the most bytes that were read from them but not yet
 * sent over the line.
 */
export async function maxReadAhead(
  line: FaultProxy,
  count: number,
  put: (content: AsyncIterable<Uint8Array>) => Promise<unknown>,
): Promise<number> {
  const before = line.sent
  let given = 0
  let most = 0
  const watch = setInterval(() => {
    most = Math.max(most, given - (line.sent - before))
  }, 10)
  try {
    await put(megabytes(count, (bytes) => (given += bytes)))
  } finally {
    clearInterval(watch)
  }
  return most
}
