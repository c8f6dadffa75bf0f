import type { Anchored, AuditHead } from '../records/audit-chain.ts'

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
