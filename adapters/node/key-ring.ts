import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyRing, StoredKey } from '../../functions/core/keys.ts'
import { makePrivate, readOrMakePrivate, readPrivate } from './private-file.ts'

/** How often the directory is looked at for keys that other processes made. Milliseconds. */
const lookEvery = 500

/** Which keys: the name of their file, and the variable that takes its place. */
export interface KeyPlace {
  dataDirectory: string
  name: 'secret-key' | 'audit-key'
  /** Of the variable: keys in base64 or hex, the one to use first. */
  configured?: string
}

/** Keys of 32 bytes by id, the same in every process that shares the data directory, and a way to make more. */
export interface OpenKeyRing {
  readonly current: string
  readonly keys: Record<string, Uint8Array>
  refresh(): void
  list(): StoredKey[]
  /** Makes a key which is the current one from now on, here at once and elsewhere within a second. */
  add(): Promise<string>
  /** Removes the file of a key. */
  drop(id: string): Promise<void>
}

/**
 * Opens the keys: those configured, then those of the directory `<name>s`, newest first, then that of the file `<name>`, which
 * is made at the first start unless one is configured. All files are 0600; each key is a file of its own, so that of two who
 * make one at once none loses it. Throws for a text that is no key.
 */
export async function openKeyRing(place: KeyPlace): Promise<OpenKeyRing> {
  const { dataDirectory, name } = place
  const file = join(dataDirectory, name)
  const directory = `${file}s`
  const configured = configuredKeys(place)
  const made = keyFiles(directory)
  if (configured.length === 0 && made.length === 0) await readOrMakePrivate(file, newKey)
  for (const path of [file, ...made.map(({ path }) => path)]) await readPrivate(path)

  const load = () => {
    const version = versionOf(directory)
    const found = loadKeys(place)
    if (found.length === 0) throw new Error(`the keys in ${name} are gone`)
    return { found, keys: keysById(found), version, lookedAt: performance.now() }
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
      return latest().found[0]!.id
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

/** Returns the keys as `openKeyRing` would find them, or undefined when there are none. Makes nothing. */
export function readKeyRing(place: KeyPlace): KeyRing | undefined {
  const found = loadKeys(place)
  return found[0] && { current: found[0].id, keys: keysById(found) }
}

const keysById = (found: readonly LoadedKey[]) =>
  Object.fromEntries(found.map(({ id, key }) => [id, key]))

/** The one to use first comes first. */
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

/** Those of the directory, newest first. */
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

/** The id of the key that a file of a ring holds. Throws for a text that is none. */
export const keyIdIn = (text: string, source: string) => keyId(readKey(text, source))

/** The id says which key it is and nothing about it. */
const keyId = (key: Uint8Array) =>
  createHash('sha256').update('container-stacks key id').update(key).digest('hex').slice(0, 16)

function readKey(text: string, source: string): Uint8Array {
  const trimmed = text.trim()
  const isHex = /^[0-9a-f]{64}$/i.test(trimmed)
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed)
  const key = Buffer.from(trimmed, isHex ? 'hex' : 'base64')
  if ((!isHex && !isBase64) || key.length !== 32) {
    throw new Error(`${source} is not a key: 32 random bytes in base64 or hex are one`)
  }
  return new Uint8Array(key)
}
