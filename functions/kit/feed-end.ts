import { Failure, failureReason, type Reason } from '../core/errors.ts'
import { TooSlow } from '../core/streams/broadcast.ts'

/**
 * Why a feed ended: the close code, a short reason for people, and for 1011 the cause for the log.
 */
export interface FeedEnd {
  code: number
  reason: string
  error?: unknown
  /** Why it failed, for the level of the log line. */
  failure?: Reason
}

/** Ends that are not decided by the feed itself. */
export const ends = {
  over: { code: 1000, reason: '' },
  shuttingDown: { code: 1001, reason: 'the service is shutting down' },
  withdrawn: { code: 1008, reason: 'the permissions for this feed were revoked' },
  unasked: { code: 1008, reason: 'this feed accepts no messages' },
  hostRevoked: { code: 1008, reason: 'the host was revoked' },
  unsure: { code: 1011, reason: 'the service could not look up your permissions' },
  tooSlow: { code: 1013, reason: 'the client reads too slowly' },
} as const satisfies Record<string, FeedEnd>

/** Returns the end that an error maps to. */
export function endOf(error: unknown): FeedEnd {
  if (error instanceof TooSlow) return ends.tooSlow
  if (!(error instanceof Failure)) {
    const failure = failureReason(error)
    return { code: 1011, reason: 'the service failed', error, failure }
  }
  const code = [400, 401, 403].includes(error.status) ? 1008 : 1011
  const cause = error.status === 500 ? (error.cause ?? error) : undefined
  return {
    code,
    reason: cut(error.message),
    ...(cause !== undefined && { error: cause, failure: failureReason(error) }),
  }
}

/** Cuts a reason to the 123 bytes that a close frame may hold (RFC 6455, 5.5.1). */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= 123) return text
  let end = text.length
  while (Buffer.byteLength(text.slice(0, end)) > 120) end -= 1
  return `${text.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`
}
