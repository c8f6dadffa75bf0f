/**
 * The outcome of an attempt. `begun` stands until the outcome is known, or forever if the process
 * died.
 */
export type AuditOutcome = 'begun' | 'succeeded' | 'failed' | 'refused'

/** A value of a field that is known to contain no secret. */
export type AuditValue = string | number | boolean | readonly string[]

/**
 * One attempt: user, action, subject and source address. A change has two rows with the same ID,
 * its beginning and its end; a refused attempt has one. Request bodies are not included, only the
 * names of their fields and some values.
 */
export interface AuditRow {
  id: string
  /** Milliseconds since the epoch, by the clock of the process that wrote it. */
  at: number
  /** `<resource>.<verb>`, such as `stacks.deploy`. */
  action: string
  outcome: AuditOutcome
  /** The HTTP status of the response. */
  status: number | null
  /** `service` for work without a request, the last value for an unknown caller. */
  actor: 'user' | 'service' | 'nobody'
  userId: string | null
  username: string | null
  credential: { kind: 'session' | 'api_token'; id: string } | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  subject: { kind: string; id: string } | null
  /** The hosts concerned. */
  hosts: readonly string[]
  /** The names of the fields in the request. */
  fields: readonly string[]
  values: Readonly<Record<string, AuditValue>>
  /** The number of attempts that the row stands for. Repeated refusals share a row. */
  count: number
}

/** Returns a row about work of the service itself. */
export function serviceRow(
  row: Pick<AuditRow, 'id' | 'at' | 'action' | 'outcome' | 'subject'> & Partial<AuditRow>,
): AuditRow {
  return {
    status: null,
    actor: 'service',
    userId: null,
    username: null,
    credential: null,
    ip: null,
    userAgent: null,
    requestId: null,
    hosts: [],
    fields: [],
    values: {},
    count: 1,
    ...row,
  }
}

/** A filter for audit rows. */
export interface AuditQuery {
  /** An action or its first parts: `stacks` includes `stacks.deploy`. */
  action?: string
  userId?: string
  /** Only rows of this time or later. Milliseconds since the epoch. */
  since?: number
  limit: number
  /** Only rows about one of these hosts or of this user. */
  within?: { hosts: readonly string[]; userId: string }
}

/** Returns whether a row matches a filter. Ignores `limit`. */
export function isAsked(row: AuditRow, { action, userId, since, within }: AuditQuery): boolean {
  if (action !== undefined && row.action !== action && !row.action.startsWith(`${action}.`)) {
    return false
  }
  if (userId !== undefined && row.userId !== userId) return false
  if (since !== undefined && row.at < since) return false
  if (!within) return true
  return row.userId === within.userId || row.hosts.some((host) => within.hosts.includes(host))
}
