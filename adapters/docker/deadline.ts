import { setMaxListeners } from 'node:events'
import { DeadlinePassed } from './errors.ts'

/** A deadline and a caller's signal as one signal, for the time of one call. */
export interface LinkedDeadline {
  signal: AbortSignal
  /** The promise, or a rejection as soon as the deadline passes or the caller stops: whichever is first. */
  race<T>(promise: Promise<T>): Promise<T>
  /** The error to report when it was the deadline that ended the call. */
  passed(): DeadlinePassed | undefined
  /** Lets go of the timer and of the caller's signal. */
  end(): void
}

/** Starts the clock. Milliseconds; null for none. Written out, as `AbortSignal.any` keeps listeners on long-lived signals. */
export function linkedDeadline(milliseconds: number | null, outer?: AbortSignal): LinkedDeadline {
  const controller = new AbortController()
  let expired: DeadlinePassed | undefined
  const follow = () => controller.abort(outer?.reason)
  const timer =
    milliseconds === null
      ? undefined
      : setTimeout(() => {
          expired = new DeadlinePassed(milliseconds)
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

/** Calls back once the signal is aborted, at once if it is. Gives the way to stop listening. As many as want may listen. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  if (signal.aborted) {
    listener()
    return () => {}
  }
  // A whole plan hangs on one signal: many listeners are no leak here.
  setMaxListeners(0, signal)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
