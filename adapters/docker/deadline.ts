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
  if (outer?.aborted) follow()
  else outer?.addEventListener('abort', follow, { once: true })

  return {
    signal: controller.signal,
    race(promise) {
      return new Promise((resolve, reject) => {
        const stop = () => reject(controller.signal.reason)
        if (controller.signal.aborted) stop()
        else controller.signal.addEventListener('abort', stop, { once: true })
        promise.then(resolve, reject)
      })
    },
    passed: () => expired,
    end() {
      clearTimeout(timer)
      outer?.removeEventListener('abort', follow)
    },
  }
}
