import type { SweepCursor } from '../records/retention-state.ts'

/** Removes expired items by the hour in which they expired. */
export interface ExpiredItems {
  /**
   * Removes at most `limit` items of an hour (counted from the epoch) that expired before `before`
   * (milliseconds), and returns how many. Items whose expiry was extended stay.
   */
  removeHour(hour: number, before: number, limit: number): Promise<number>
  /** Does the same for finished alert deliveries, which the index lists by state. */
  removeDeliveries(before: number, limit: number): Promise<number>
  /**
   * Reads one page of the whole store and returns where to continue, or undefined at the end.
   * - Items that processes of an earlier version wrote are not findable by hour. They become so, or
   *   are removed if they expired before `before`.
   * - Removes the remains of killed processes and removed hosts.
   */
  scanPage(from: SweepCursor | undefined, before: number): Promise<SweepCursor | undefined>
}
