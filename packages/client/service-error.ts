/** A request that the service refused, or that got no response. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The HTTP status, or 0 if there was no response. */
  readonly status: number
  /** The reason that a program can tell apart, such as `stale-revision`, if there is one. */
  readonly reason: string | undefined
  /** The id of the request, which the log of the service has too, if there was a response. */
  readonly requestId: string | undefined

  constructor(message: string, status: number, more: ErrorFacts = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.status = status
    this.reason = more.reason
    this.requestId = more.requestId
  }
}

interface ErrorFacts {
  reason?: string | undefined
  requestId?: string | undefined
  cause?: unknown
}

/** What openapi-fetch returns. */
export interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/**
 * Returns the body of a successful response.
 *
 * @throws ServiceError for any other response, and what the request throws: a ServiceError with the
 *   status 0 if there is no response
 */
export async function unwrap<T>(request: Promise<Answer<T>> | Answer<T>): Promise<T> {
  const { data, error, response } = await Promise.resolve(request).catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new Error('the response is no JSON: something else has this address', { cause })
  })
  if (response.ok) return data as T
  const reason = response.headers.get('x-error-reason') ?? undefined
  const requestId = response.headers.get('x-request-id') ?? undefined
  const message = messageIn(error) ?? `HTTP ${response.status}`
  throw new ServiceError(message, response.status, { reason, requestId })
}

function messageIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  return typeof body.error === 'string' ? body.error : undefined
}
