import type { StoredBlock } from '../records/audit-chain.ts'

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
