import type { UsageBlock, UsageStep } from '../records/usage-history.ts'

/** What hosts and containers used over weeks, in blocks of points. */
export interface UsageHistory {
  /**
   * Stores a block, or replaces the one with the same host, step, beginning and mark. It expires at
   * `expiresAt`, in milliseconds since the epoch.
   */
  put(hostId: string, block: UsageBlock, expiresAt: number): Promise<void>
  /**
   * Returns the blocks with a period that ends after `since`, oldest first. Expired ones are left
   * out.
   */
  list(hostId: string, step: UsageStep, since: number): Promise<UsageBlock[]>
}
