import type { AuditAction } from './audit-actions.ts'
import type { TimeRange } from './time-range.ts'

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
  /** `<resource>.<verb>`, such as `stacks.deploy`. Rows of other versions may have others. */
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
  subject: AuditSubject | null
  /** The hosts concerned. */
  hosts: readonly string[]
  /** The names of the fields in the request. */
  fields: readonly string[]
  values: Readonly<Record<string, AuditValue>>
  /** The number of attempts that the row stands for. Repeated refusals share a row. */
  count: number
  /**
   * The ID of the row that this one continues: work that went on after the response of its request.
   */
  continues?: string
}

/** A row as this version writes it. */
export interface NewAuditRow extends AuditRow {
  action: AuditAction
}

/** What a row is about. Rows of earlier versions have no name. */
export interface AuditSubject {
  kind: string
  id: string
  name?: string | undefined
}

/** The parts of a request's row that the row of its later end repeats. `row` is its ID. */
export interface AuditTrail
  extends Pick<NewAuditRow, 'action' | 'userId' | 'username' | 'credential' | 'requestId'> {
  row: string
}

/** A filter for audit rows. */
export interface AuditQuery extends Pick<TimeRange, 'since' | 'until'> {
  /** Only rows before this number. */
  before?: number | undefined
  /** An action or its first parts: `stacks` includes `stacks.deploy`. */
  action?: string
  userId?: string
  limit: number
  /** Only rows about one of these hosts or of this user. */
  within?: { hosts: readonly string[]; userId: string }
}
