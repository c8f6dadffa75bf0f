/** The text of a key, and its version, which changes with the text. */
export interface KeptKey {
  text: string
  version: string
}

/**
 * The keys and other secrets that all processes of an installation share, by the name of their file
 * in a data directory: `audit-key`, `secret-keys/<created>-<id>`. Processes that create a key at
 * the same time end with the same one.
 */
export interface KeyStore {
  readonly kind: 'file' | 'store'
  /** Returns where a key is, for people. */
  where(name: string): string
  /** @throws Error if the key is there and cannot be read */
  find(name: string): Promise<KeptKey | undefined>
  /** Returns the names below `<directory>/`, sorted. */
  list(directory: string): Promise<string[]>
  /** Stores a key, unless there is one of that name already. */
  create(name: string, text: string): Promise<void>
  /** Replaces the version that was read. Returns false if another process replaced it first. */
  replace(name: string, text: string, version: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** Returns the id of the outside key that seals new texts, as the installation has decided it. */
  readonly sealedWith?: () => Promise<string>
  /** Reads without waiting, so that a key of another process can be used as soon as it is met. */
  readonly now?: {
    find(name: string): string | undefined
    list(directory: string): string[]
    /** Returns a text that changes when a key is added to the directory or removed from it. */
    version(directory: string): string | undefined
  }
}

/** Returns a key. Creates it from `make` if no process has done so yet. */
export async function findOrCreate(
  keys: Pick<KeyStore, 'find' | 'create' | 'where'>,
  name: string,
  make: () => string | Promise<string>,
): Promise<KeptKey> {
  const found = await keys.find(name)
  if (found) return found
  await keys.create(name, await make())
  // Another process may have created it first, so it is read again.
  const created = await keys.find(name)
  if (!created) throw new Error(`${keys.where(name)} was removed while it was created`)
  return created
}
