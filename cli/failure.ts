/** What the process ends with: 1 failed, 2 wrong usage, 3 not logged in, 4 forbidden, 130 interrupted. */
export type ExitCode = 1 | 2 | 3 | 4 | 130

/** An end of the command other than success: `message` and `hint` are shown on standard error. */
export class CliFailure extends Error {
  readonly exitCode: ExitCode
  readonly hint: string | undefined

  constructor(
    exitCode: ExitCode,
    message: string,
    options: { hint?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'CliFailure'
    this.exitCode = exitCode
    this.hint = options.hint
  }
}

/** The command was understood and did not succeed. */
export const failed = (message: string, options?: { hint?: string; cause?: unknown }) =>
  new CliFailure(1, message, options)

/** The command line is wrong. */
export const wrongUsage = (message: string, hint?: string) => new CliFailure(2, message, { hint })

/** There is no credential, or it is not good any more. */
export const notLoggedIn = (message: string, server?: string) =>
  new CliFailure(3, message, { hint: `run: cli login ${server ?? '<url>'}` })

/** The person gave up at a prompt or with an interrupt. */
export const interrupted = (message = 'interrupted') => new CliFailure(130, message)

/** The service's own answer that it did not do what it was asked. */
export class ApiFailure extends CliFailure {
  readonly status: number

  constructor(status: number, message: string, exitCode: ExitCode, hint?: string) {
    super(exitCode, message, { hint })
    this.name = 'ApiFailure'
    this.status = status
  }
}
