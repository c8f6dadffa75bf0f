import type { IncomingMessage } from 'node:http'
import { type Failure, invalid, type Reason } from '../../../functions/core/errors.ts'

/** Describes a connection that is over. */
export interface FeedClose {
  code: number
  bytes: number
  error?: unknown
  reason?: Reason | undefined
}

/** A request to become a WebSocket, as the listener passes it on. */
export interface Upgrade {
  requestId: string
  target: { path: string; query: string }
  /** Marks the connection as a feed. Returns a function to call once when it is over. */
  accept(route: string, user?: string): (close: FeedClose) => void
}

/** Returns why a request cannot become a WebSocket (RFC 6455, 4.2.1), or undefined if it can. */
export function handshakeProblem({ method, headers }: IncomingMessage): Failure | undefined {
  if (method !== 'GET') return invalid('an upgrade to a WebSocket must use GET')
  if (!/^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')) {
    return invalid('the header Sec-WebSocket-Key is missing or wrong')
  }
  if (headers['sec-websocket-version'] !== '13') {
    return invalid('the header Sec-WebSocket-Version must be 13', {
      headers: { 'Sec-WebSocket-Version': '13' },
    })
  }
  return undefined
}

/**
 * Returns why a page may not open a feed with a ticket that was created without an `Origin`, or
 * undefined if it may. A browser sends the origin of its page: it must be the configured base URL
 * or, if there is none, the address of the request itself. Clients that are not browsers send none.
 */
export function originProblem(
  { headers }: IncomingMessage,
  baseUrl: string | undefined,
): string | undefined {
  const { origin, host } = headers
  if (origin === undefined) return undefined
  const allowed = baseUrl
    ? [new URL(baseUrl).origin]
    : [`http://${host?.toLowerCase()}`, `https://${host?.toLowerCase()}`]
  return allowed.includes(origin) ? undefined : 'pages of another origin cannot open feeds'
}
