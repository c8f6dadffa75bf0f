import type { Collection } from '../collection.ts'
import type { RetentionState } from './state.ts'

/** Where the sweeps are: one record, written under their lease. */
export type RetentionStates = Collection<RetentionState>

/** Where a reading of the whole store goes on: made by the store, and given back as it is. */
export type SweepCursor = string

/** Removes what has expired, found by the hour in which it expired. */
export interface ExpiredItems {
  /**
   * Removes at most `limit` items of an hour (counted from the epoch) that expired before `before`
   * (milliseconds), and returns how many it removed. An item that was given more time meanwhile
   * stays.
   */
  removeHour(hour: number, before: number, limit: number): Promise<number>
  /** The same for ended deliveries of alerts, which stand by their state. */
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
  /** Changes with each write. */
  revision: number
}

/**
 * Which texts are stored, and the removal of those that nothing refers to. Every write fails
 * (false) if the text changed.
 */
export interface TextMarks {
  /** In order of digest, after this one. */
  list(after: string | undefined, limit: number): Promise<TextMark[]>
  markUnused(mark: TextMark, at: number): Promise<boolean>
  markUsed(mark: TextMark, at: number): Promise<boolean>
  remove(mark: TextMark): Promise<boolean>
}
