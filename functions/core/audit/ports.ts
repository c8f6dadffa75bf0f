import type { AuditHead, AuditLink } from './chain.ts'
import type { AuditQuery, AuditRow } from './row.ts'
import type { AuditVerdict } from './verdict.ts'

/** A stored row with its number and the HMAC that links it to the previous row. */
export interface AuditEntry extends AuditRow {
  seq: number
  mac: string
}

export interface Audit {
  /**
   * Resolves once the row is durable.
   *
   * @throws 500 if that is uncertain
   */
  append(row: AuditRow): Promise<void>
  /**
   * Records a refused attempt soon, grouped with similar ones, so that refused requests cannot fill
   * the store.
   */
  refuse(row: AuditRow): void
  /** Stores the refusals that were deferred so far. */
  flush(): Promise<void>
  /**
   * Returns rows, newest first, each change once in its current state. `more`: further rows match
   * or were not examined.
   */
  list(query: AuditQuery): Promise<{ rows: AuditEntry[]; more: boolean }>
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

/** The storage of the blocks, in order of position. */
export interface AuditBlocks {
  /** Returns false if there is a block at this position already. */
  put(block: StoredBlock): Promise<boolean>
  /** Returns the blocks after a position, oldest first. */
  after(position: string): AsyncIterable<StoredBlock>
  /** Returns all blocks, newest first. */
  newestFirst(): AsyncIterable<StoredBlock>
  remove(positions: readonly string[]): Promise<void>
  /** Returns the stored checkpoint. Its signature is not verified. */
  readCheckpoint(): Promise<string | undefined>
  /** Replaces the checkpoint. Returns false if it is no longer the one that was read. */
  writeCheckpoint(next: string, before: string | undefined): Promise<boolean>
}

/**
 * The newest row that was ever written from here, and the numbers of rows that were found to have
 * been replaced.
 */
export interface Anchored {
  head: AuditHead
  replaced: number[]
}

/**
 * A record of the chain outside the store. Write access to the store is not enough to change it.
 */
export interface AuditAnchor {
  read(): Promise<Anchored | undefined>
  /** Records the new end of the chain soon. */
  advance(head: AuditHead): void
  /** Records permanently that the row `seq`, once the end of the chain, was replaced. */
  replaced(head: AuditHead, seq: number): void
  /** Resolves once everything is recorded. */
  settled(): Promise<void>
}
