import type { Reason } from '../core/errors.ts'

/**
 * One HTTP request: the fields of an API gateway's event (payload format 2.0) that handlers use.
 * The same handler therefore runs behind the Node adapter, in a unit test and as a cloud function.
 */
export interface HttpEvent {
  /** The manifest's line, such as `GET /stacks/{name}`. */
  routeKey: string
  rawPath: string
  /** Without the question mark, still percent-encoded. */
  rawQueryString: string
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  pathParameters?: Record<string, string | undefined>
  /** The body as UTF-8 text. */
  body?: string
  isBase64Encoded: boolean
  /** The body as received, instead of `body`. Its reader may overwrite it. */
  bytes?: Buffer
  /**
   * Reads a body that the host has not read yet: a large body is read only for callers who may send
   * it. Called at most once.
   */
  receive?(): Promise<Pick<HttpEvent, 'bytes' | 'bodyProblem'>>
  /** Is called once the body is parsed: the host then reads the next large body. */
  parsed?(): void
  /**
   * Yields a body that the host has not read yet, for an endpoint that reads it itself. Called at
   * most once.
   */
  chunks?(): AsyncIterable<Uint8Array>
  /**
   * Why there is no body although one was sent: it was too large or too slow. Reported as 400 when
   * the endpoint reads the body.
   */
  bodyProblem?: string
  /** Why this `Origin` may not open a feed, unless the ticket is bound to it. */
  originProblem?: string
  requestContext: {
    requestId: string
    http: { method: string; path: string; sourceIp: string; userAgent: string }
  }
}

export interface HttpResponse {
  statusCode: number
  headers: Record<string, string>
  body: string
}

/** What the kit reports to the host for its log line, and what the host knows about the client. */
export interface HandlerContext {
  /** User name of the caller, once authenticated. */
  user?: string
  /** The error behind a 500. */
  error?: unknown
  /** Why the request failed. */
  reason?: Reason
  /** What an Engine or a registry said, for the log only. */
  detail?: string
  /**
   * Aborts with a `Failure` when the client no longer waits for the response. Undefined if the host
   * cannot tell.
   */
  gone?: AbortSignal
}

/** The plain function that an adapter mounts, a test calls or a cloud function exports. */
export type Handler = (event: HttpEvent, context?: HandlerContext) => Promise<HttpResponse>
