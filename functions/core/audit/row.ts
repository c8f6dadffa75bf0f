/** How an attempt ended. `begun` is what stands there until its end is known, and for good when its process died. */
export type AuditOutcome = 'begun' | 'succeeded' | 'failed' | 'refused'

/** A value that a row may hold: of fields that are known to hold no secret. */
export type AuditValue = string | number | boolean | readonly string[]

/**
 * Who did what to what, from where. A change has two rows of one id, its beginning and its end; a refused attempt has one.
 * Bodies are not in it: of a change the names of its fields, and the values of some.
 */
export interface AuditRow {
  id: string
  /** Milliseconds since the epoch, by the clock of who wrote it. */
  at: number
  /** `<resource>.<verb>`, as `stacks.deploy`. */
  action: string
  outcome: AuditOutcome
  /** The status that was answered. */
  status: number | null
  /** `service` for work that nobody asked for at that moment, `nobody` for a caller who is not known. */
  actor: 'user' | 'service' | 'nobody'
  userId: string | null
  username: string | null
  credential: { kind: 'session' | 'api_token'; id: string } | null
  ip: string | null
  userAgent: string | null
  requestId: string | null
  subject: { kind: string; id: string } | null
  /** Hosts that it was about. */
  hosts: readonly string[]
  /** Names of the fields that were sent. */
  fields: readonly string[]
  values: Readonly<Record<string, AuditValue>>
  /** How many attempts of one kind it stands for: repeated refusals are counted together. */
  count: number
}

/** What the service did by itself, about a thing and maybe on a host. */
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

/** Which rows are asked for. */
export interface AuditQuery {
  /** An action, or the beginning of some: `stacks` stands for `stacks.deploy` too. */
  action?: string
  userId?: string
  /** Milliseconds since the epoch; rows of that instant or later. */
  since?: number
  limit: number
  /** Only rows about one of these hosts, or of this user. */
  within?: { hosts: readonly string[]; userId: string }
}

/** Whether a row is one of those that are asked for. */
export function isAsked(row: AuditRow, { action, userId, since, within }: AuditQuery): boolean {
  if (action !== undefined && row.action !== action && !row.action.startsWith(`${action}.`)) {
    return false
  }
  if (userId !== undefined && row.userId !== userId) return false
  if (since !== undefined && row.at < since) return false
  if (!within) return true
  return row.userId === within.userId || row.hosts.some((host) => within.hosts.includes(host))
}
