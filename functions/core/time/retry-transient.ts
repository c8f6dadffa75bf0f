import { isTransient } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'

/** Attempts, and the milliseconds between two of them: about a minute. */
const triesMax = 13
const pause = 5_000

/** Options of `retryTransient`. */
export interface RetryOptions {
  signal: AbortSignal
  /** Called with the first refusal. */
  onRefusal(error: unknown): void
}

/**
 * Does work in the background that may be repeated, and repeats it for about a minute while it is
 * refused for now, such as by a busy Engine.
 *
 * @throws the last refusal, any other error, and the reason of the signal once it is aborted
 */
export async function retryTransient<T>(
  work: () => Promise<T>,
  { signal, onRefusal }: RetryOptions,
  { clock }: Needs<'clock'>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error) || tries >= triesMax || signal.aborted) throw error
      if (tries === 1) onRefusal(error)
    }
    await clock.sleep(pause, signal)
    signal.throwIfAborted()
  }
}
