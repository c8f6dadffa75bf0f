import type { StoredKey } from '../keys.ts'

/** The keys of the secrets at rest, and what is encrypted with them. */
export interface Secrets {
  /** The one that encrypts what is new comes first. */
  keys(): Promise<StoredKey[]>
  /** Makes a key that encrypts what is new, here from now on and in every process that shares the keys within a second. */
  addKey(): Promise<StoredKey>
  /** Forgets a key; what is encrypted with it is lost. */
  dropKey(id: string): Promise<void>
  /** How many stored values are encrypted with each key, by its id. Reads all of the store. */
  count(): Promise<Record<string, number>>
  /**
   * Encrypts every value that is under another key with the newest one, a value at a time, until the signal is aborted. Gives
   * how many there were. One that somebody changes meanwhile is left to him.
   */
  reencrypt(signal: AbortSignal): Promise<number>
  /** The key with which all values were encrypted when they were last looked at, or nothing. */
  settledOn(): Promise<string | undefined>
  settle(key: string | null): Promise<void>
}
