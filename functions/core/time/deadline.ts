import { internalError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Runs `work` with a signal that aborts after `milliseconds` with a `Failure` 500 as its reason.
 */
export async function withDeadline<T>(
  milliseconds: number,
  clock: Clock,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const done = new AbortController()
  void clock.sleep(milliseconds, done.signal).then(() => {
    if (!done.signal.aborted)
      late.abort(
        internalError(`it took longer than ${milliseconds / 1000} s`, { reason: 'timeout' }),
      )
  })
  try {
    return await work(late.signal)
  } finally {
    done.abort()
  }
}
