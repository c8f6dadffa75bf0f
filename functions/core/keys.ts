/** Keys of 32 bytes by id, kept outside the store. What is new is made with the current one; the others still read. */
export interface KeyRing {
  readonly current: string
  readonly keys: Readonly<Record<string, Uint8Array>>
  /** Looks for keys that came since: another process may have made one a moment ago. */
  refresh?(): void
}

/** The key of that id, or nothing when this process has none such. */
export function keyOf(ring: KeyRing, id: string): Uint8Array | undefined {
  const find = () => (Object.hasOwn(ring.keys, id) ? ring.keys[id] : undefined)
  const known = find()
  if (known) return known
  ring.refresh?.()
  return find()
}

/** What may be known of a key. */
export interface StoredKey {
  id: string
  /** Milliseconds since the epoch; nothing for the first one and for those that are configured. */
  createdAt: number | null
  /** `environment`: it is configured and can be changed there alone. */
  source: 'file' | 'environment'
}
