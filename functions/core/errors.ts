/** The error statuses that an endpoint may return. */
export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 422 | 423 | 500

/**
 * An error response on its way to the caller. `message` is sent to the caller unchanged: it says
 * where the error is and what is wrong, in the caller's terms. It never contains a secret, a stack
 * trace or a path on the server.
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
  /** Headers of the response. */
  headers?: Record<string, string>
  /** Logged for a 500 and never sent to the caller: it may contain parts of the request. */
  cause?: unknown
  /**
   * Logged with the request whatever the status, and never sent to the caller: the message of an
   * Engine or a registry, bounded and without control characters. Defaults to the detail of
   * `cause`.
   */
  detail?: string
}

/** 400: the input is invalid. */
export const invalid = (message: string, options?: FailureOptions) =>
  new Failure(400, message, options)

/** 401: the credential is missing or wrong. */
export const unauthenticated = (message: string, options?: FailureOptions) =>
  new Failure(401, message, {
    ...options,
    headers: { 'WWW-Authenticate': 'Bearer', ...options?.headers },
  })

/** 403: the credential is valid but its permissions are not sufficient. */
export const forbidden = (message: string, options?: FailureOptions) =>
  new Failure(403, message, options)

/** 404: the requested object does not exist. */
export const notFound = (message: string, options?: FailureOptions) =>
  new Failure(404, message, options)

/** 409: the state of the object does not allow the request. */
export const conflict = (message: string, options?: FailureOptions) =>
  new Failure(409, message, options)

/**
 * 422: the input is well-formed but cannot be processed, such as a compose.yaml that does not
 * parse.
 */
export const unprocessable = (message: string, options?: FailureOptions) =>
  new Failure(422, message, options)

/** 423: the account is in cooldown after failed logins. */
export const locked = (message: string, options?: FailureOptions) =>
  new Failure(423, message, options)

/** 500: a part of the service, the store or an Engine failed. */
export const broken = (message: string, options?: FailureOptions) =>
  new Failure(500, message, options)

/**
 * Returns the message of a `Failure`, or `otherwise` for any other error: the messages of other
 * errors are not meant for callers.
 */
export const wordsOf = (error: unknown, otherwise: string): string =>
  error instanceof Failure ? error.message : otherwise
