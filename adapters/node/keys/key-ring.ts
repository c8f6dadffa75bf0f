import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing, StoredKey } from '../../../functions/core/records/keys.ts'
import { makePrivate, readOrCreatePrivate, readPrivate } from './private-file.ts'

/** Milliseconds between checks for keys that other processes added. */
const lookEvery = 500

/** The location of keys: the name of their file, and the variable that overrides it. */
export interface KeyPlace {
  dataDirectory: string
  name: 'secret-key' | 'audit-key'
  /** The variable's value: keys in base64 or hex, separated by commas, the one to use first. */
  configured?: string
}

/** Keys of 32 bytes by id, which all processes with the same data directory share. */
export interface OpenKeyRing {
  readonly current: string
  readonly keys: Record<string, Uint8Array>
  refresh(): void
  list(): StoredKey[]
  /**
   * Creates a key and makes it the current one, in this process at once and in others within a
   * second.
   */
  add(): Promise<string>
  /** Removes the file of a key. */
  drop(id: string): Promise<void>
}

/**
 * Opens the keys. The order is: configured ones, then those in the directory `<name>s`, newest
 * first, then the file `<name>`, which is created at the first start if there are no other keys.
 * All files have mode 0600. Each key is a file, so two processes that add keys at once lose none.
 * Throws if a text is not a key.
 */
export async function openKeyRing(place: KeyPlace): Promise<OpenKeyRing> {
  const { dataDirectory, name } = place
  const file = join(dataDirectory, name)
  const directory = `${file}s`
  const configured = configuredKeys(place)
  const made = keyFiles(directory)
  if (configured.length === 0 && made.length === 0) await readOrCreatePrivate(file, newKey)
  for (const path of [file, ...made.map(({ path }) => path)]) await readPrivate(path)

  const load = () => {
    const version = versionOf(directory)
    const found = loadKeys(place)
    const [newest] = found
    if (!newest) throw new Error(`the keys in ${name} are missing`)
    return {
      found,
      current: newest.id,
      keys: keysById(found),
      version,
      lookedAt: performance.now(),
    }
  }
  let loaded = load()
  const latest = () => {
    if (performance.now() - loaded.lookedAt < lookEvery) return loaded
    loaded.lookedAt = performance.now()
    if (versionOf(directory) !== loaded.version) loaded = load()
    return loaded
  }
  const reload = () => {
    loaded = load()
  }
  return {
    get current() {
      return latest().current
    },
    get keys() {
      return latest().keys
    },
    refresh: reload,
    list: () => latest().found.map(({ key, path, ...shown }) => shown),
    async add() {
      const key = newKey()
      const id = keyId(readKey(key, name))
      await makePrivate(join(directory, `${String(Date.now()).padStart(15, '0')}-${id}`), key)
      reload()
      return id
    },
    async drop(id) {
      const path = latest().found.find((one) => one.id === id)?.path
      if (path) await rm(path, { force: true })
      reload()
    },
  }
}

/**
 * Returns the keys in the order of `openKeyRing`, or undefined if there are none. Creates nothing.
 */
export function readKeyRing(place: KeyPlace): KeyRing | undefined {
  const found = loadKeys(place)
  return found[0] && { current: found[0].id, keys: keysById(found) }
}

const keysById = (found: readonly LoadedKey[]) =>
  Object.fromEntries(found.map(({ id, key }) => [id, key]))

/** Returns the keys, the one to use first. */
function loadKeys(place: KeyPlace): LoadedKey[] {
  const file = join(place.dataDirectory, place.name)
  const files = [...keyFiles(`${file}s`), { path: file, createdAt: null }]
  return [...configuredKeys(place), ...files.flatMap((one) => readFile(one, place.name))]
}

interface LoadedKey extends StoredKey {
  key: Uint8Array
  path?: string
}

function configuredKeys({ configured, name }: KeyPlace): LoadedKey[] {
  if (configured === undefined) return []
  const variable = `SERVICE_${name.toUpperCase().replace('-', '_')}`
  return configured.split(',').map((text) => {
    const key = readKey(text, variable)
    return { id: keyId(key), key, createdAt: null, source: 'environment' }
  })
}

/** Returns the key files in a directory, newest first. */
function keyFiles(directory: string): { path: string; createdAt: number | null }[] {
  const names = orNothing(() => readdirSync(directory)) ?? []
  return names
    .filter((name) => /^\d{15}-[0-9a-f]{16}$/.test(name))
    .sort()
    .reverse()
    .map((name) => ({ path: join(directory, name), createdAt: Number(name.split('-')[0]) }))
}

function readFile(
  { path, createdAt }: { path: string; createdAt: number | null },
  name: string,
): LoadedKey[] {
  const text = orNothing(() => readFileSync(path, 'utf8'))
  if (text === undefined) return []
  const key = readKey(text, `the file ${name} in the data directory`)
  return [{ id: keyId(key), key, path, createdAt, source: 'file' }]
}

const versionOf = (directory: string) =>
  orNothing(() => String(statSync(directory, { bigint: true }).mtimeNs))

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const newKey = () => `${randomBytes(32).toString('base64')}\n`

/** Returns the id of the key in a file of a ring. Throws if the text is not a key. */
export const keyIdIn = (text: string, source: string) => keyId(readKey(text, source))

/** Returns the id of a key, which reveals nothing about it. */
const keyId = (key: Uint8Array) =>
  createHash('sha256').update('container-stacks key id').update(key).digest('hex').slice(0, 16)

function readKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim()
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed)
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
  const key = Buffer.from(trimmed, isHex ? 'hex' : 'base64')
  if ((!isHex && !isBase64) || key.length !== 32) {
    throw new Error(`${source} is not a key: must be 32 random bytes in base64 or hex`)
  }
  return new Uint8Array(key)
}
