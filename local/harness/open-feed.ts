import type { Failure } from '../../functions/core/errors.ts'
import type { HttpEvent } from '../../functions/kit/event.ts'
import type { AnyFeed } from '../../functions/kit/feed.ts'

/** A request to open a feed. No credential is sent without a token. */
export interface FeedRequest {
  path?: Record<string, string | number> | undefined
  query?: Record<string, string> | undefined
  token?: string | undefined
}

/** Opens a feed through its handler, and closes it. Returns 101, or the status of its refusal. */
export async function openFeed(
  feed: Pick<AnyFeed, 'with'>,
  request: FeedRequest,
  ports: Parameters<AnyFeed['with']>[0],
): Promise<number> {
  const client = new AbortController()
  try {
    await feed.with(ports)(eventOf(request), { incoming: nothing(), signal: client.signal })
    return 101
  } catch (error) {
    return (error as Failure).status
  } finally {
    client.abort()
  }
}

async function* nothing() {}

function eventOf({ path = {}, query, token }: FeedRequest): HttpEvent {
  const http = { method: 'GET', path: '/', sourceIp: '127.0.0.1', userAgent: 'test' }
  return {
    routeKey: 'GET /',
    rawPath: '/',
    rawQueryString: new URLSearchParams(query).toString(),
    headers: token ? { authorization: `Bearer ${token}` } : {},
    pathParameters: Object.fromEntries(
      Object.entries(path).map(([name, value]) => [name, String(value)]),
    ),
    isBase64Encoded: false,
    requestContext: { requestId: 'test', http },
  }
}
