/**
 * Returns the same promise, marked as handled: for work that starts now and is awaited later. Node
 * ends a process in which a promise rejects before anything listens to it, which happens when the
 * code between the two throws. The failure is not lost: the caller that awaits the promise still
 * gets it.
 *
 * ```ts
 * const loading = started(load())
 * await connect() // may throw: `loading` may then reject without a listener
 * return await loading
 * ```
 */
export function started<P extends PromiseLike<unknown> | undefined>(promise: P): P {
  promise?.then(undefined, () => {})
  return promise
}

/**
 * Lets work continue in the background and ignores its failure: for work whose failure is made up
 * for elsewhere.
 */
export function ignoreResult(work: PromiseLike<unknown>): void {
  work.then(undefined, () => {})
}
