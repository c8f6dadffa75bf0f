import { findOrCreate, type KeyStore } from '../../../functions/core/ports/key-store.ts'
import { ignoreResult } from '../../../functions/core/promises.ts'
import type { KeyRing, StoredKey } from '../../../functions/core/records/keys.ts'
import { newKeyText, parseKey, parseKeys } from '../config/key-text.ts'

/** Milliseconds between checks for keys that other processes added. */
const lookEvery = 500

/** The rings, by the name of their first key. */
export const rings = ['secret-key', 'audit-key'] as const

/** The location of keys: their name, and the variable that overrides them. */
export interface KeyPlace {
  keys: KeyStore
  name: (typeof rings)[number]
  /** The variable's value: keys in base64 or hex, separated by commas, the one to use first. */
  configured?: string
}

/** Keys of 32 bytes by id, which all processes of an installation share. */
export interface OpenKeyRing {
  readonly current: string
  readonly keys: Record<string, Uint8Array>
  refresh(): void
  list(): Promise<StoredKey[]>
  /**
   * Creates a key and makes it the current one, in this process at once. Others use it within a
   * second if keys are files, otherwise after their next `list`.
   */
  add(): Promise<string>
  /** Removes a key from the key store. */
  drop(id: string): Promise<void>
}

/**
 * Opens the keys. The order is: configured ones, with the one that seals the keys in the store
 * first, then those named `<name>s/…`, newest first, then
 * `<name>`, which is created at the first start if there are no other keys. Each key has a name of
 * its own, so two processes that add keys at once lose none. Throws if a text is not a key.
 */
export async function openKeyRing(place: KeyPlace): Promise<OpenKeyRing> {
  const { keys: store, name, configured } = place
  const directory = `${name}s`
  const { now } = store
  if (configured === undefined && (await namesOf(place)).length === 0)
    await findOrCreate(store, name, newKeyText)

  const loadedFrom = (found: LoadedKey[], version: string | undefined) => {
    const [newest] = found
    if (!newest) throw new Error(`the keys in ${name} are missing`)
    const keys = keysById(found)
    return { found, current: newest.id, keys, version, lookedAt: performance.now() }
  }
  // The version is read before the keys, so that a change in between is seen at the next check.
  const load = async () => {
    const version = now?.version(directory)
    return loadedFrom(await loadKeys(place), version)
  }
  let loaded = await load()
  const reload = async () => {
    loaded = await load()
  }
  const reloadNow = (read: Now) => {
    const version = read.version(directory)
    const names = [...ringNames(read.list(directory), directory), name]
    const texts = names.map((one) => ({ name: one, text: read.find(one) }))
    loaded = loadedFrom(keysOf(place, texts), version)
  }
  const latest = () => {
    if (!now || performance.now() - loaded.lookedAt < lookEvery) return loaded
    loaded.lookedAt = performance.now()
    if (now.version(directory) !== loaded.version) reloadNow(now)
    return loaded
  }
  return {
    get current() {
      return latest().current
    },
    get keys() {
      return latest().keys
    },
    refresh() {
      if (now) reloadNow(now)
      else ignoreResult(reload(), 'read the keys again')
    },
    async list() {
      await reload()
      return loaded.found.map(({ key, path, ...shown }) => shown)
    },
    async add() {
      const text = newKeyText()
      const { id } = parseKey(text, name)
      await store.create(ringName(directory, Date.now(), id), text)
      await reload()
      return id
    },
    async drop(id) {
      // Processes that copied a key at the same time may have given it two names.
      const names = latest().found.flatMap((one) => (one.id === id && one.path ? one.path : []))
      for (const one of names) await store.remove(one)
      await reload()
    },
  }
}

type Now = NonNullable<KeyStore['now']>

/**
 * Returns the keys of a ring in the order of `openKeyRing`, or undefined if there are none. Creates
 * nothing.
 */
export async function readKeyRing(place: KeyPlace): Promise<KeyRing | undefined> {
  const found = await loadKeys(place)
  return found[0] && { current: found[0].id, keys: keysById(found) }
}

/** Returns the name of a key in a ring. `createdAt` 0: it is older than all others. */
export const ringName = (directory: string, createdAt: number, id: string) =>
  `${directory}/${String(createdAt).padStart(15, '0')}-${id}`

/** Returns the names of a ring's keys. */
export async function namesOf({ keys, name }: Pick<KeyPlace, 'keys' | 'name'>): Promise<string[]> {
  const single = (await keys.find(name)) ? [name] : []
  return [...ringNames(await keys.list(`${name}s`), `${name}s`), ...single]
}

const keysById = (found: readonly LoadedKey[]) =>
  Object.fromEntries(found.map(({ id, key }) => [id, key]))

interface LoadedKey extends StoredKey {
  key: Uint8Array
  /** Its name in the key store. */
  path?: string
}

async function loadKeys(place: KeyPlace): Promise<LoadedKey[]> {
  const { keys: store, name } = place
  const first = name === 'secret-key' ? await store.sealedWith?.() : undefined
  const names = [...ringNames(await store.list(`${name}s`), `${name}s`), name]
  const read = async (one: string) => ({ name: one, text: (await store.find(one))?.text })
  return keysOf(place, await Promise.all(names.map(read)), first)
}

/** Returns the names of keys in a directory, without those of other files. */
const ringNames = (names: readonly string[], directory: string) =>
  names.filter((name) => /^\d{15}-[0-9a-f]{16}$/.test(name.slice(directory.length + 1)))

/** Returns the keys, the one to use first: `first` among the configured ones, if it is there. */
function keysOf(
  { keys: store, name, configured }: KeyPlace,
  texts: readonly { name: string; text: string | undefined }[],
  first?: string,
): LoadedKey[] {
  const stored = texts.flatMap(({ name: path, text }) => {
    if (text === undefined) return []
    const { id, key } = parseKey(text, store.where(path))
    return [{ id, key, path, createdAt: createdAtOf(path), source: store.kind, rank: rankOf(path) }]
  })
  stored.sort((a, b) => b.rank - a.rank)
  const fixed = configured === undefined ? [] : parseKeys(configured, variableOf(name))
  fixed.sort((a, b) => Number(b.id === first) - Number(a.id === first))
  return [
    ...fixed.map(({ id, key }) => ({ id, key, createdAt: null, source: 'environment' as const })),
    ...stored.map(({ rank, ...key }) => key),
  ]
}

/** Returns the time in the name of a key, in milliseconds, or null if it has none. */
const createdAtOf = (path: string) => Number(/\/0*(\d+)-/.exec(path)?.[1]) || null

/** Returns a number that is higher for newer keys. */
const rankOf = (path: string) => (path.includes('/') ? (createdAtOf(path) ?? -1) : 0)

/** Returns the variable that overrides the keys of a name. */
const variableOf = (name: KeyPlace['name']) => `SERVICE_${name.toUpperCase().replace('-', '_')}`
