import type { Reason } from './reason.ts'

/** The error statuses that an endpoint may return. */
export type FailureStatus = 400 | 401 | 403 | 404 | 409 | 422 | 423 | 500

/**
 * The reason of a failure that gives none, by its status. Null: the status says enough, so there is
 * no reason unless one is given, as for some kinds of 403.
 */
const usualReasons = {
  400: null,
  401: null,
  403: null,
  404: null,
  409: 'conflict',
  422: 'invalid-compose',
  423: null,
  500: 'internal',
} as const satisfies Record<FailureStatus, Reason | null>

/** The statuses whose failures always have a reason. */
export type ReasonedStatus = {
  [Status in FailureStatus]: (typeof usualReasons)[Status] extends Reason ? Status : never
}[FailureStatus]

/**
 * An error response on its way to the caller. `message` is sent to the caller unchanged: it says
 * where the error is and what is wrong, in the caller's terms. It never contains a secret, a stack
 * trace or a path on the server.
 */
export class Failure extends Error {
  readonly status: FailureStatus
  /** For programs. Never undefined for a `ReasonedStatus`. */
  readonly reason: Reason | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly detail: string | undefined

  constructor(status: FailureStatus, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.status = status
    this.headers = options.headers ?? {}
    const known = options.cause instanceof Failure ? options.cause : undefined
    const usual = usualReasons[status]
    this.reason = options.reason ?? (usual === null ? undefined : (known?.reason ?? usual))
    this.detail = options.detail ?? known?.detail
  }
}

export interface FailureOptions {
  /**
   * Why, for programs. Defaults to the reason of `cause`, and then to the usual one of the status.
   */
  reason?: Reason
  /** Headers of the response. */
  headers?: Record<string, string>
  /** Logged for a 500 and never sent to the caller: it may contain parts of the request. */
  cause?: unknown
  /**
   * Logged with the request whatever the status, and never sent to the caller: the message of an
   * Engine or a registry, bounded and without control characters, or why a credential is refused.
   * Defaults to the detail of `cause`.
   */
  detail?: string
}

/** 403: the credential is valid but its permissions are not sufficient. */
export const forbidden = (message: string, options?: FailureOptions) =>
  new Failure(403, message, options)

/** 409: the state of the object does not allow the request. */
export const conflict = (message: string, options?: FailureOptions) =>
  new Failure(409, message, options)

/**
 * 403: the compose policy does not let the caller's stack use this, which `stacks:privileged`
 * would permit.
 */
export const refusedByPolicy = (message: string, options?: FailureOptions) =>
  new Failure(403, message, { reason: 'policy', ...options })

/** 422: the files of a stack are not valid, such as a compose.yaml that does not parse. */
export const unprocessable = (message: string, options?: FailureOptions) =>
  new Failure(422, message, options)
