import type { AuditHead, AuditLink } from './chain.ts'
import type { AuditQuery, AuditRow } from './row.ts'
import type { AuditVerdict } from './verdict.ts'

/** A row as it was kept, with its number and the code that links it to the row before. */
export interface AuditEntry extends AuditRow {
  seq: number
  mac: string
}

export interface Audit {
  /** Resolves when the row is kept for good. Throws a `Failure` 500 when that cannot be said. */
  append(row: AuditRow): Promise<void>
  /** Keeps a refused attempt soon, together with others like it: nobody can fill the store by being refused. */
  refuse(row: AuditRow): void
  /** Keeps what was put off up to now. */
  flush(): Promise<void>
  /** Newest first, each change once, as it stands now. `more`: there are others that were not looked at or left out. */
  list(query: AuditQuery): Promise<{ rows: AuditEntry[]; more: boolean }>
  /**
   * Rows with higher numbers than this, oldest first, some hundred at most, and the number to go on from. Without one no
   * row, but the number of the newest.
   */
  after(seq: number | undefined): Promise<{ rows: AuditRow[]; end: number }>
  /** Reads every row and compares it with its links, and the newest with what is known outside of the store. */
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

/** A row with everything that its HMAC covers, and the id of the key. */
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

/** A block of rows as the store has it: where it stands, and its text, whoever wrote it. */
export interface StoredBlock {
  position: string
  text: string
}

/** Where the blocks of the chain are kept, in order of position. */
export interface AuditBlocks {
  /** False when a block stands there already. */
  put(block: StoredBlock): Promise<boolean>
  /** Those after a position, oldest first. */
  after(position: string): AsyncIterable<StoredBlock>
  /** All of them, newest first. */
  newestFirst(): AsyncIterable<StoredBlock>
  remove(positions: readonly string[]): Promise<void>
  /** Returns the stored checkpoint, whoever wrote it. */
  readCheckpoint(): Promise<string | undefined>
  /** Replaces the checkpoint. Returns false if it is no longer the one that was read. */
  writeCheckpoint(next: string, before: string | undefined): Promise<boolean>
}

/** The newest row that was ever written from here, and the numbers of those that were found to be others by then. */
export interface Anchored {
  head: AuditHead
  replaced: number[]
}

/** What is known of the chain outside of the store: who changes the store cannot change it. */
export interface AuditAnchor {
  read(): Promise<Anchored | undefined>
  /** Remembers the chain's new end soon. */
  advance(head: AuditHead): void
  /** Remembers for good that the row of this number, once the end of the chain, is not what it was. */
  replaced(head: AuditHead, seq: number): void
  /** Resolves when all of it is remembered. */
  settled(): Promise<void>
}
