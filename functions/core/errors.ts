/** Statuses an endpoint may answer besides success: the table of the interface specification. */
export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 422 | 423 | 500

/**
 * An answer that is not a success, on its way to the caller.
 * `message` is shown to the caller as it stands: it says where and what, in the caller's words,
 * and never holds a secret, a stack trace or a path of the server.
 */
export class Failure extends Error {
  readonly status: FailureStatus
  readonly headers: Readonly<Record<string, string>>
  readonly detail: string | undefined

  constructor(status: FailureStatus, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.status = status
    this.headers = options.headers ?? {}
    this.detail =
      options.detail ?? (options.cause instanceof Failure ? options.cause.detail : undefined)
  }
}

export interface FailureOptions {
  /** Sent with the answer. */
  headers?: Record<string, string>
  /** Goes to the log of a 500 and nowhere else: it may hold parts of what the caller sent. */
  cause?: unknown
  /**
   * Goes to the log of the request whatever its status, and never to the caller: what an Engine or a
   * registry said, bounded and without control characters. A failure passes on that of its cause.
   */
  detail?: string
}

/** 400: the input is wrong. */
export const invalid = (message: string, options?: FailureOptions) =>
  new Failure(400, message, options)

/** 401: the credential is missing or wrong. */
export const unauthenticated = (message: string, options?: FailureOptions) =>
  new Failure(401, message, {
    ...options,
    headers: { 'WWW-Authenticate': 'Bearer', ...options?.headers },
  })

/** 403: the credential is right and not enough. */
export const forbidden = (message: string, options?: FailureOptions) =>
  new Failure(403, message, options)

/** 404: there is no such thing. */
export const notFound = (message: string, options?: FailureOptions) =>
  new Failure(404, message, options)

/** 409: the state of the thing does not allow it. */
export const conflict = (message: string, options?: FailureOptions) =>
  new Failure(409, message, options)

/** 422: understood and refused, as a compose.yaml that fails to parse. */
export const unprocessable = (message: string, options?: FailureOptions) =>
  new Failure(422, message, options)

/** 423: the account is in cooldown after failed logins. */
export const locked = (message: string, options?: FailureOptions) =>
  new Failure(423, message, options)

/** 500: a part of the service, the store or an engine did not do its work. */
export const broken = (message: string, options?: FailureOptions) =>
  new Failure(500, message, options)

/** What a caller may read of an error: a failure's own words; of anything else nothing, and `otherwise` in its place. */
export const wordsOf = (error: unknown, otherwise: string): string =>
  error instanceof Failure ? error.message : otherwise
