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
 * Decides whether a call goes on after its deadline, given the milliseconds that it has taken.
 * Never throws.
 */
export type GoesOn = (taken: number) => Promise<boolean>

/**
 * Starts a deadline in milliseconds, or none with null. `AbortSignal.any` is not used because it
 * leaves listeners on long-lived signals.
 *
 * @param goesOn asked each time the deadline passes: if the call goes on, so does the deadline
 */
export function linkedDeadline(
  milliseconds: number | null,
  outer?: AbortSignal,
  goesOn?: GoesOn,
): LinkedDeadline {
  const controller = new AbortController()
  const started = performance.now()
  let expired: DeadlineExceeded | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const follow = () => controller.abort(outer?.reason)
  const unfollow = outer ? onAbort(outer, follow) : () => {}

  async function pass(limit: number): Promise<void> {
    const taken = performance.now() - started
    const isLonger = goesOn !== undefined && (await goesOn(taken))
    if (isOver || controller.signal.aborted) return
    if (isLonger) return wait(limit)
    const seconds = Math.floor((performance.now() - started) / 1000)
    expired = new DeadlineExceeded(Math.max(limit, seconds * 1000))
    controller.abort(expired)
  }
  const wait = (limit: number) => {
    timer = setTimeout(() => {
      pass(limit).catch((error) => controller.abort(error))
    }, limit)
  }
  if (milliseconds !== null) wait(milliseconds)

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
      isOver = true
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
