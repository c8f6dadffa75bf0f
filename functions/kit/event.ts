/**
 * One HTTP request: the fields that handlers use of an API gateway's event (payload format 2.0), so that the same
 * handler runs behind the Node adapter, in a unit test and as a cloud function.
 */
export interface HttpEvent {
  /** `GET /stacks/{name}`: the manifest's line. */
  routeKey: string
  rawPath: string
  /** Without the question mark, still encoded. */
  rawQueryString: string
  /** Names in lower case. */
  headers: Record<string, string | undefined>
  pathParameters?: Record<string, string | undefined>
  /** The text of the body, UTF-8. */
  body?: string
  isBase64Encoded: boolean
  /** The body as it came, in place of `body`; whoever reads it may write over it. */
  bytes?: Buffer
  /** In place of a body that the host has not read yet: a large one is read for callers who may send it. Called once. */
  receive?(): Promise<Pick<HttpEvent, 'bytes' | 'bodyProblem'>>
  /** Why there is no body although one was sent: it was too large or too slow. Answered with 400 in its turn. */
  bodyProblem?: string
  /** Why the `Origin` of the request may not open a feed unless its ticket is bound to it. */
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

/** What the host of a handler wants to know for its log line, which the kit fills in, and what it knows of the client. */
export interface HandlerContext {
  /** User name of the caller, once known. */
  user?: string
  /** The error behind a 500. */
  error?: unknown
  /** What an Engine or a registry said, for the log alone. */
  detail?: string
  /** Fires when nobody waits for the answer any more, with a `Failure`; not there where the host cannot tell. */
  gone?: AbortSignal
}

/** The plain function that an adapter mounts, a test calls and a cloud function exports. */
export type Handler = (event: HttpEvent, context?: HandlerContext) => Promise<HttpResponse>
