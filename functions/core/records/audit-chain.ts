import type { AuditRow } from './audit-row.ts'

/** A row in the chain. `mac` covers the row, its number and the `mac` of the previous row. */
export interface AuditLink {
  seq: number
  prev: string
  mac: string
  /** The latest time of all rows up to this one. Unlike a clock it never goes back. */
  latest: number
  row: AuditRow
}

/** Rows with consecutive numbers that were written together. */
export interface AuditBlock {
  /** The ID of the key that signed the links. */
  key: string
  links: AuditLink[]
}

/** The end of the chain, which the next row links to. */
export interface AuditHead {
  seq: number
  mac: string
  latest: number
}

/**
 * A problem with a range of rows:
 * - `changed`: the content is not what was written,
 * - `missing`: the rows are gone,
 * - `inserted`: the service did not write the rows, or they exist twice,
 * - `replaced`: rows up to here differ from those that existed when the next one was written.
 */
export interface AuditProblem {
  kind: 'changed' | 'missing' | 'inserted' | 'replaced'
  from: number
  to: number
  /** The ID of the row, if the problem is a single readable row. */
  id: string | null
}

export interface AuditVerdict {
  ok: boolean
  /** The number of rows read. */
  rows: number
  /** The newest row. */
  head: { seq: number; mac: string } | null
  /** The first hundred problems, in order of the rows. */
  problems: AuditProblem[]
  /** The last row that an administrator removed. The rows after it were verified. */
  checkpoint?: Pick<AuditCheckpoint, 'seq' | 'at'>
}

/** A stored row with its number and the HMAC that links it to the previous row. */
export interface AuditEntry extends AuditRow {
  seq: number
  mac: string
}

/** A row with everything that its HMAC covers, and the ID of the key. */
export interface ExportedRow extends AuditLink {
  key: string
}

/**
 * The result of a removal: the last removed row, which may be before the requested one, and how
 * many were removed.
 */
export interface AuditTrim {
  sequence: number
  removed: number
}

/** A block of rows as it is in the store. Its text is not verified. */
export interface StoredBlock {
  position: string
  text: string
}

/**
 * The newest row that a process with this data directory has written, and the numbers of the rows
 * that a verification found to be replaced.
 */
export interface Anchored {
  head: AuditHead
  replaced: number[]
}

/**
 * The start of the chain after older rows were removed: the last removed row, signed with the audit
 * key.
 */
export interface AuditCheckpoint extends AuditHead {
  /** When the rows were removed. Milliseconds since the epoch. */
  at: number
}
