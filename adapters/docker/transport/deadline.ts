import { setMaxListeners } from 'node:events'
import { DeadlineExceeded } from '../responses/errors.ts'

/** Combines a deadline and a caller's signal for one call. */
export interface LinkedDeadline {
  signal: AbortSignal
  /** Settles like the promise, or rejects as soon as the deadline passes or the caller aborts. */
  race<T>(promise: Promise<T>): Promise<T>
  /** Returns the error if the deadline ended the call. */
  passed(): DeadlineExceeded | undefined
  /** Releases the timer and the caller's signal. */
  end(): void
}

/**
 * Starts a deadline in milliseconds, or none with null. `AbortSignal.any` is not used because it
 * leaves listeners on long-lived signals.
 */
export function linkedDeadline(milliseconds: number | null, outer?: AbortSignal): LinkedDeadline {
  const controller = new AbortController()
  let expired: DeadlineExceeded | undefined
  const follow = () => controller.abort(outer?.reason)
  const timer =
    milliseconds === null
      ? undefined
      : setTimeout(() => {
          expired = new DeadlineExceeded(milliseconds)
          controller.abort(expired)
        }, milliseconds)
  const unfollow = outer ? onAbort(outer, follow) : () => {}

  return {
    signal: controller.signal,
    race(promise) {
      return new Promise((resolve, reject) => {
        onAbort(controller.signal, () => reject(controller.signal.reason))
        promise.then(resolve, reject)
      })
    },
    passed: () => expired,
    end() {
      clearTimeout(timer)
      unfollow()
    },
  }
}

/**
 * Calls the listener when the signal aborts, or at once if it has. Returns a function that removes
 * the listener. Any number of listeners is allowed.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  // A whole plan uses one signal, so many listeners are not a leak.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
