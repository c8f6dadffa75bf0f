import { channel } from 'node:diagnostics_channel'
import { Failure } from './errors.ts'

/** An error that was ignored, and the work that failed. */
export interface IgnoredError {
  work: string
  error: unknown
}

/** Carries the ignored errors of this process to whatever counts and logs them. */
export const ignoredErrors = channel('container-stacks.ignored-error')

/**
 * Returns a handler that ignores the error of some work. The error is counted in the metric
 * `ignored_errors_total` and logged at level debug. `work` says what failed; it is a label of the
 * metric, so it contains no name, id or other value.
 *
 * ```ts
 * await leases.release(lease).catch(ignoreError('release a lease'))
 * ```
 *
 * Only for work whose failure changes nothing that a caller was promised: a cleanup that is
 * repeated later, a preparation that only saves time, a figure that may be missing. Do not use it
 * for an error that is expected (catch that one by its name), nor where another caller gets the
 * error (use `Promise.allSettled` to wait for the end of work).
 */
export const ignoreError =
  (work: string) =>
  (error: unknown): undefined => {
    ignoredErrors.publish({ work, error } satisfies IgnoredError)
  }

/**
 * Returns a handler that returns undefined for a `Failure`, such as that of a host that is
 * unreachable, and ignores any other error as `ignoreError` does: that one is a fault of the
 * service. For results that may be missing.
 */
export const ignoreFailure =
  (work: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Failure)) ignoreError(work)(error)
  }
