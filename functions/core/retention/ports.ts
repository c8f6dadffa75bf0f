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
  /** The same for finished deliveries of alerts, which the index lists by state. */
  removeDeliveries(before: number, limit: number): Promise<number>
  /**
   * Reads one page of the whole store and returns where to continue, or undefined at the end.
   * Makes items findable by hour that are not, because a process of an earlier version wrote them,
   * or removes those that expired before `before`. Removes what killed processes and removed hosts
   * left behind.
   */
  scanPage(from: SweepCursor | undefined, before: number): Promise<SweepCursor | undefined>
}

/** A text as the sweep of unused texts sees it. Times are milliseconds since the epoch. */
export interface TextMark {
  digest: string
  /** When it was last stored; storing a text that exists renews this. */
  storedAt: number
  /** When a sweep found no reference to it, or null. */
  unusedSince: number | null
  /** Changes on each write. */
  revision: number
}

/**
 * The stored texts, and the removal of unused ones. Every write returns false if the text was
 * changed since it was read.
 */
export interface TextMarks {
  /** In order of digest, after this one. */
  list(after: string | undefined, limit: number): Promise<TextMark[]>
  markUnused(mark: TextMark, at: number): Promise<boolean>
  markUsed(mark: TextMark, at: number): Promise<boolean>
  remove(mark: TextMark): Promise<boolean>
}
