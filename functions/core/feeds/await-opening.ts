import type { Clock } from '../ports/clock.ts'
import { markHandled } from '../promises.ts'

/** A feed whose first read takes longer than this opens without it. Milliseconds. */
const openingMax = 5_000

/**
 * Waits for the first read of a feed before it opens, so that a failure is a response with a status
 * instead of an open feed that ends. A failure after the time limit is thrown by `read` alone.
 */
export async function awaitOpening(read: Promise<unknown>, clock: Clock): Promise<void> {
  const opened = markHandled(read)
  const done = new AbortController()
  try {
    await Promise.race([opened, clock.sleep(openingMax, done.signal)])
  } finally {
    done.abort()
  }
}
