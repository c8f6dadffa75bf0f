/** Remembers states that last, for as long as this process runs. */
export interface Reminders {
  /**
   * Returns whether a warning about a state is to be repeated: true for the first call with a key,
   * and then once an hour.
   */
  isDue(key: string): boolean
  /**
   * Returns for how many milliseconds a state has lasted: since the first call with its key. A key
   * that is not asked about for an hour is forgotten.
   */
  lasted(key: string): number
}
