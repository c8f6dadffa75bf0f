import { Failure, failureReason, type Reason } from '../core/errors.ts'
import { TooSlow } from '../core/streams/broadcast.ts'

/**
 * Why a feed ended: the close code, the reason for programs (null if its subject ended), and the
 * message for people.
 */
export interface FeedEnd {
  code: number
  reason: Reason | null
  message: string
  /** The cause for the log, of 1011. */
  error?: unknown
}

/** Ends that are not decided by the feed itself. */
export const ends = {
  over: { code: 1000, reason: null, message: 'the subject of the feed ended' },
  shuttingDown: { code: 1001, reason: 'overloaded', message: 'the service is shutting down' },
  withdrawn: {
    code: 1008,
    reason: 'forbidden',
    message: 'the permissions for this feed were revoked',
  },
  unasked: { code: 1008, reason: 'unexpected-message', message: 'this feed accepts no messages' },
  hostRevoked: { code: 1008, reason: 'host-revoked', message: 'the host was revoked' },
  tooLarge: {
    code: 1009,
    reason: 'unexpected-message',
    message: 'a message must be at most 64 KiB',
  },
  tooSlow: { code: 1013, reason: 'slow-reader', message: 'the client reads too slowly' },
} as const satisfies Record<string, FeedEnd>

/** Returns the end of a feed whose permissions could not be looked up. */
export const unsure = (error: unknown): FeedEnd => ({
  code: 1011,
  reason: failureReason(error),
  message: 'the service could not look up your permissions',
})

/** Returns the end of a feed whose client broke the protocol of WebSockets. */
export const brokenBy = (code: number): FeedEnd =>
  code === ends.tooLarge.code
    ? ends.tooLarge
    : { code, reason: 'unexpected-message', message: 'a message is not a valid WebSocket message' }

/** Returns the end that an error maps to. */
export function endOf(error: unknown): FeedEnd {
  if (error instanceof TooSlow) return ends.tooSlow
  if (!(error instanceof Failure)) {
    return { code: 1011, reason: failureReason(error), message: 'the service failed', error }
  }
  const { status, message, reason } = error
  if (status === 400) return { code: 1008, reason: reason ?? 'unexpected-message', message }
  if (status === 401 || status === 403)
    return { code: 1008, reason: reason ?? 'forbidden', message }
  if (status !== 500) return { code: 1011, reason: reason ?? 'conflict', message }
  return { code: 1011, reason: failureReason(error), message, error: error.cause ?? error }
}

/**
 * Returns the text of the close frame: `host-offline: the agent is not connected`, cut to the 123
 * bytes that it may hold (RFC 6455, 5.5.1). It is empty if the subject ended.
 */
export const closeText = ({ reason, message }: FeedEnd): string =>
  reason === null ? '' : cut(`${reason}: ${message}`)

function cut(text: string): string {
  if (Buffer.byteLength(text) <= 123) return text
  let end = text.length
  while (Buffer.byteLength(text.slice(0, end)) > 120) end -= 1
  return `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`
}
