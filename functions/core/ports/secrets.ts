import type { StoredKey } from '../records/keys.ts'

/** The keys of the secrets at rest, and the values encrypted with them. */
export interface Secrets {
  /** Returns the keys, the current one first. New values are encrypted with that. */
  keys(): Promise<StoredKey[]>
  /**
   * Creates a key and makes it the current one: at once in this process, within a second in every
   * process that shares the keys.
   */
  addKey(): Promise<StoredKey>
  /** Deletes a key. Values encrypted with it are lost. */
  dropKey(id: string): Promise<void>
  /** Returns the number of stored values by the ID of their key. Reads the whole store. */
  count(): Promise<Record<string, number>>
  /**
   * Re-encrypts every value that is under an older key with the newest one, value by value, until
   * the signal is aborted. Returns how many. Skips values that are changed at the same time.
   */
  reencrypt(signal: AbortSignal): Promise<number>
  /**
   * Returns the ID of the key that every value was encrypted with at the last check, or undefined.
   */
  onlyKey(): Promise<string | undefined>
  /** Records it. `null`: values may be under another key, so that they are checked again. */
  recordOnlyKey(key: string | null): Promise<void>
}
