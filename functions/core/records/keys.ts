import { ownEntry } from '../../compose/lookup.ts'

/**
 * Keys of 32 bytes by ID, in files or sealed in the store. New values are encrypted or signed with
 * `current`; the other keys only decrypt or verify older ones.
 */
export interface KeyRing {
  readonly current: string
  readonly keys: Readonly<Record<string, Uint8Array>>
  /** Reads keys that were added since: another process may just have created one. */
  refresh?(): void
}

/** Returns the key with this ID, or undefined if this process does not have it. */
export function keyOf(ring: KeyRing, id: string): Uint8Array | undefined {
  const find = () => ownEntry(ring.keys, id)
  const known = find()
  if (known) return known
  ring.refresh?.()
  return find()
}

/** The public properties of a key. */
export interface StoredKey {
  id: string
  /** Milliseconds since the epoch; null for the first key and for configured ones. */
  createdAt: number | null
  /**
   * `file`: in the data directory. `store`: sealed with the configured key. `environment`: the key
   * is configured and can only be changed there.
   */
  source: 'file' | 'store' | 'environment'
}
