import { ignoreError } from './ignore-error.ts'

/**
 * Returns the same promise, marked as handled: for work that starts now and is awaited later. Node
 * ends a process in which a promise rejects before anything listens to it, which happens when the
 * code between the two throws. The failure is not lost: the caller that awaits the promise still
 * gets it.
 *
 * ```ts
 * const loading = markHandled(load())
 * await connect() // may throw: `loading` may then reject without a listener
 * return await loading
 * ```
 */
export function markHandled<P extends PromiseLike<unknown> | undefined>(promise: P): P {
  promise?.then(undefined, () => {})
  return promise
}

/**
 * Calls `act` if the promise rejects, for example to remove it from a cache. Returns the same
 * promise: the caller that awaits it gets the error.
 */
export function onRejection<P extends PromiseLike<unknown>>(promise: P, act: () => void): P {
  promise.then(undefined, act)
  return promise
}

/**
 * Lets work continue in the background and ignores its failure, as `ignoreError` does: for work
 * whose failure is made up for elsewhere. `name` says what the work is.
 */
export function ignoreResult(work: PromiseLike<unknown>, name = 'work in the background'): void {
  work.then(undefined, ignoreError(name))
}

/** Handles the rejection of a wait that was aborted, which is then over. Throws other errors. */
export function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
