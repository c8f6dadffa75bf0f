import type { Collection } from '../collection.ts'
import type { RetentionState } from './state.ts'

/** The progress of the sweeps: one record, written under their lease. */
export type RetentionStates = Collection<RetentionState>

/** A position in a scan of the store. Opaque to callers. */
export type SweepCursor = string

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

/** A text as the sweep of unused texts sees it. Times are milliseconds since the epoch. */
export interface TextMark {
  digest: string
  /** When it was last stored. Storing an existing text again renews this. */
  storedAt: number
  /** When a sweep first found no reference to it, or null. */
  unusedSince: number | null
  /** Changes on each write. */
  revision: number
}

/**
 * The stored texts and the removal of unused ones. Every write returns false if the text was
 * changed since it was read.
 */
export interface TextMarks {
  /** Returns texts in order of digest, starting after `after`. */
  list(after: string | undefined, limit: number): Promise<TextMark[]>
  markUnused(mark: TextMark, at: number): Promise<boolean>
  markUsed(mark: TextMark, at: number): Promise<boolean>
  remove(mark: TextMark): Promise<boolean>
}
