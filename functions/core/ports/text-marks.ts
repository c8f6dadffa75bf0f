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
