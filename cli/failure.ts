import { isLasting } from './reason-hints.ts'

/** Exit codes: 1 failed, 2 wrong usage, 3 not logged in, 4 forbidden, 130 interrupted. */
export type ExitCode = 1 | 2 | 3 | 4 | 130

/** Ends a command without success. `message` and `hint` are shown on standard error. */
export class CliFailure extends Error {
  readonly exitCode: ExitCode
  readonly hint: string | undefined
  /** Why, as the service sent it: one of the reasons that its API describes. */
  readonly reason: string | undefined

  constructor(exitCode: ExitCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'CliFailure'
    this.exitCode = exitCode
    this.hint = options.hint
    this.reason = options.reason
  }

  /** Returns the same failure in other words. */
  reworded({
    message = this.message,
    hint = this.hint,
  }: {
    message?: string
    hint?: string
  }): CliFailure {
    const { exitCode, reason, cause } = this
    return new CliFailure(exitCode, message, { hint, reason, cause })
  }
}

interface FailureOptions {
  hint?: string
  reason?: string
  cause?: unknown
}

/** Returns whether the error of a system call has one of these codes, as `ENOENT`. */
export const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && codes.includes(String((error as NodeJS.ErrnoException).code))

/** Returns the failure of a command that was understood but did not succeed. */
export const failed = (message: string, options?: FailureOptions) =>
  new CliFailure(1, message, options)

/** Returns the failure of an invalid command line. */
export const wrongUsage = (message: string, hint?: string) => new CliFailure(2, message, { hint })

/** Returns the failure with a hint, unless it has one. */
export function withHint(failure: CliFailure, hint: string | undefined): CliFailure {
  return failure.hint !== undefined || hint === undefined ? failure : failure.reworded({ hint })
}

/** Returns the failure of a missing or expired credential. */
export const notLoggedIn = (message: string, server?: string) =>
  new CliFailure(3, message, { hint: `run: cli login ${server ?? '<url>'}` })

/** Returns the failure of a command that the user cancelled, at a prompt or with an interrupt. */
export const interrupted = (message = 'interrupted') => new CliFailure(130, message)

/** An unsuccessful response of the service. */
export class ApiFailure extends CliFailure {
  readonly status: number
  /** What the log of the service calls the request. */
  readonly requestId: string | undefined

  constructor(
    status: number,
    message: string,
    exitCode: ExitCode,
    options: FailureOptions & { requestId?: string } = {},
  ) {
    super(exitCode, message, options)
    this.name = 'ApiFailure'
    this.status = status
    this.requestId = options.requestId
  }

  override reworded({
    message = this.message,
    hint = this.hint,
  }: {
    message?: string
    hint?: string
  }): ApiFailure {
    const { status, exitCode, reason, requestId, cause } = this
    return new ApiFailure(status, message, exitCode, { hint, reason, requestId, cause })
  }
}

/**
 * Returns true if trying again may help: the service could not be reached, or failed itself, as
 * while it restarts.
 */
export function isTemporary(error: unknown): error is CliFailure {
  if (error instanceof ApiFailure) return error.status >= 500 && !isLasting(error.reason)
  return error instanceof CliFailure && error.exitCode === 1
}
