/** Decides how often this process repeats a warning about a state that lasts. */
export interface Reminders {
  /** Returns true for the first call with a key, and then once an hour. */
  isDue(key: string): boolean
}
