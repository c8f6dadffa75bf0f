import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isAhead } from '../../functions/core/clock-skew.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { readOrMakePrivate, replacePrivate } from './private-file.ts'

/** A key that signs, or that signed until a moment ago and still verifies. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The Ed25519 keys of access tokens, the same in every process that shares the data directory. */
export interface SigningKeys {
  current(): Promise<SigningKey>
  /** Nothing for a key that is unknown or was replaced too long ago. */
  find(id: string): Promise<SigningKey | undefined>
  /** Signs with a new key from now on; the one before verifies for another 20 minutes, longer than any token lives. */
  rotate(): Promise<void>
}

/** As they stand in the file. Times are milliseconds since the epoch. */
interface StoredKey {
  id: string
  /** PKCS #8, DER, base64. */
  key: string
  createdAt: number
  replacedAt: number | null
}

const overlap = 20 * 60_000
const lifetime = 30 * 86_400_000
const lookEvery = 1000

interface Loaded {
  stored: StoredKey[]
  current: SigningKey
  byId: Map<string, SigningKey & { until: number }>
  /** Which file it was read from: each rotation is a new one. */
  version: string
  lookedAt: number
}

/**
 * Opens the file `signing-keys.json` (0600) in the data directory, made with a random key at the first start; there is
 * no other key than those in it. A key is replaced by itself after 30 days. Changes of other processes are seen within a
 * second, an unknown id at once.
 */
export async function openSigningKeys(dataDirectory: string, clock: Clock): Promise<SigningKeys> {
  const file = join(dataDirectory, 'signing-keys.json')
  const load = async (): Promise<Loaded> => {
    // Asked before the text is read: what comes in between is seen at the next look.
    const version = await versionOf(file)
    const text = await readOrMakePrivate(file, () => serialise([newKey(clock.now())]))
    return { ...readSigningKeys(text), version, lookedAt: performance.now() }
  }
  const isStale = async (loaded: Loaded) => {
    loaded.lookedAt = performance.now()
    return (await versionOf(file)) !== loaded.version
  }
  let keys = await load()
  const look = async () => {
    if (await isStale(keys)) keys = await load()
  }
  const lookSometimes = async () => {
    if (performance.now() - keys.lookedAt >= lookEvery) await look()
  }
  const good = (id: string) => {
    const key = keys.byId.get(id)
    return key && isGood(key.until, clock.now()) ? key : undefined
  }
  const replaceFile = async () => {
    const now = clock.now()
    const { stored } = await load()
    await replacePrivate(file, serialise(rotated(stored, now)))
    // What is in the file counts: another process may have rotated at the same time.
    keys = await load()
  }
  let rotating: Promise<void> | undefined
  const rotate = () => {
    rotating ??= replaceFile().finally(() => {
      rotating = undefined
    })
    return rotating
  }
  return {
    async current() {
      await lookSometimes()
      const newest = keys.stored.find((key) => key.replacedAt === null)
      // A key of a clock that was ahead would be used until its time has come.
      if (newest && Math.abs(clock.now() - newest.createdAt) >= lifetime) await rotate()
      return keys.current
    },
    async find(id) {
      await lookSometimes()
      if (!keys.byId.has(id)) await look()
      return good(id)
    },
    rotate,
  }
}

/** Whether a key that verifies until then does so now: one that a clock ahead replaced does not. */
const isGood = (until: number, now: number) =>
  until > now && (until === Infinity || !isAhead(until - overlap, now))

async function versionOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined)
  return found ? `${found.ino} ${found.mtimeMs}` : 'none'
}

function newKey(now: number): StoredKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  return { id: randomBytes(8).toString('hex'), key, createdAt: now, replacedAt: null }
}

function rotated(stored: StoredKey[], now: number): StoredKey[] {
  const kept = stored
    .map((key) => ({ ...key, replacedAt: key.replacedAt ?? now }))
    .filter((key) => isGood(key.replacedAt + overlap, now))
  return [newKey(now), ...kept]
}

const serialise = (keys: StoredKey[]) => `${JSON.stringify({ keys }, null, 2)}\n`

/**
 * Parses signing keys.
 *
 * @throws Error if the text is malformed or has no key to sign with
 */
export function readSigningKeys(text: string) {
  const { keys: stored } = JSON.parse(text) as { keys: StoredKey[] }
  const byId = new Map<string, SigningKey & { until: number }>()
  for (const { id, key, replacedAt } of stored) {
    const der = Buffer.from(key, 'base64')
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key')
    const publicKey = createPublicKey(privateKey)
    const until = replacedAt === null ? Infinity : replacedAt + overlap
    byId.set(id, { id, privateKey, publicKey, until })
  }
  const current = byId.get(stored.find((key) => key.replacedAt === null)?.id ?? '')
  if (!current) throw new Error('it does not hold a key to sign with')
  return { stored, byId, current }
}
