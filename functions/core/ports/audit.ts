import type { AuditEntry, AuditTrim, AuditVerdict, ExportedRow } from '../records/audit-chain.ts'
import type { AuditQuery, AuditRow, NewAuditRow } from '../records/audit-row.ts'

export interface Audit {
  /**
   * Resolves once the row is durable.
   *
   * @throws 500 if that is uncertain
   */
  append(row: NewAuditRow): Promise<void>
  /**
   * Records a refused attempt soon, grouped with similar ones, so that refused requests cannot fill
   * the store.
   */
  refuse(row: NewAuditRow): void
  /**
   * Records a read of secrets, at most once a minute for the same caller, action and thing.
   *
   * @throws 500 if that is uncertain
   */
  recordRead(row: NewAuditRow): Promise<void>
  /** Resolves when no row of a refused attempt is being written. */
  refusalsWritten(): Promise<void>
  /** Stores the refusals that were deferred so far. */
  flush(): Promise<void>
  /**
   * Returns rows, newest first, each change once in its current state. `next`: further rows match
   * or were not examined, and this is the `before` that continues.
   */
  list(query: AuditQuery): Promise<{ rows: AuditEntry[]; next: number | undefined }>
  /**
   * Returns the newest row with this ID, if it is not older than `since`. Milliseconds since the
   * epoch.
   */
  find(id: string, since: number): Promise<AuditRow | undefined>
  /**
   * Returns the rows after this number, oldest first, a few hundred at most, and the number to
   * continue from. Without a number it returns no rows and the number of the newest one.
   */
  after(seq: number | undefined): Promise<{ rows: AuditRow[]; end: number }>
  /** Verifies every row against its links, and the newest against the anchor outside the store. */
  verify(): Promise<AuditVerdict>
  /**
   * Returns rows after this number with a time before `before`, oldest first, as they are in the
   * chain.
   */
  exportAfter(seq: number, before: number, limit: number): Promise<ExportedRow[]>
  /**
   * Removes the rows up to this one, whose HMAC is `mac`, and replaces them with a signed
   * checkpoint.
   *
   * @throws 409 if the HMAC is wrong or a row up to there was changed
   */
  trim(last: { sequence: number; mac: string }): Promise<AuditTrim>
  /** Finishes an interrupted removal. */
  finishTrim(): Promise<void>
}
