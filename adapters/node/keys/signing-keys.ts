import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import {
  findOrCreate,
  type KeptKey,
  type KeyStore,
} from '../../../functions/core/ports/key-store.ts'
import { isAhead } from '../../../functions/core/time/clock-skew.ts'

/** A key that signs, or one that was replaced recently and still verifies. */
export interface SigningKey {
  id: string
  privateKey: KeyObject
  publicKey: KeyObject
}

/** The Ed25519 keys of access tokens, which all processes of an installation share. */
export interface SigningKeys {
  current(): Promise<SigningKey>
  /** Returns undefined for a key that is unknown or was replaced too long ago. */
  find(id: string): Promise<SigningKey | undefined>
  /**
   * Starts signing with a new key. The previous one verifies for another 20 minutes, longer than
   * any token lives.
   */
  rotate(): Promise<void>
}

/** A key in the text. Times are milliseconds since the epoch. */
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
  /** That of the text that was read. */
  version: string
  lookedAt: number
}

const name = 'signing-keys.json'

/**
 * Opens the text `signing-keys.json` of a key store, and creates it with a random key at the first
 * start. Only keys in it are used. A key is replaced automatically after 30 days. Changes by other
 * processes are seen within a second, and an unknown id is looked up at once. A file that is
 * removed is created again. If the text is removed from the store, the keys that were read stay in
 * use until the process ends; the next start reports it.
 */
export async function openSigningKeys(store: KeyStore, clock: Clock): Promise<SigningKeys> {
  const open = () => findOrCreate(store, name, () => serialise([newKey(clock.now())]))
  const read = (kept: KeptKey): Loaded => ({
    ...readSigningKeys(kept.text),
    version: kept.version,
    lookedAt: clock.monotonic(),
  })
  let keys = read(await open())
  const look = async () => {
    keys.lookedAt = clock.monotonic()
    const kept = await (store.kind === 'file' ? open() : store.find(name))
    if (kept && kept.version !== keys.version) keys = read(kept)
  }
  const lookSometimes = async () => {
    if (clock.monotonic() - keys.lookedAt >= lookEvery) await look()
  }
  const good = (id: string) => {
    const key = keys.byId.get(id)
    return key && isGood(key.until, clock.now()) ? key : undefined
  }
  const replaceKeys = async () => {
    await look()
    const { stored, version } = keys
    await store.replace(name, serialise(rotated(stored, clock.now())), version)
    // Read again: another process may have rotated at the same time. Its keys are used then.
    await look()
  }
  let rotating: Promise<void> | undefined
  const rotate = () => {
    rotating ??= replaceKeys().finally(() => {
      rotating = undefined
    })
    return rotating
  }
  return {
    async current() {
      await lookSometimes()
      const newest = keys.stored.find((key) => key.replacedAt === null)
      // Otherwise a key created while the clock was ahead would be used until that time has come.
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

/**
 * Returns whether a key that verifies until then does so now. One that was replaced while the clock
 * was ahead does not.
 */
const isGood = (until: number, now: number) =>
  until > now && (until === Infinity || !isAhead(until - overlap, now))

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
  if (!current) throw new Error('it contains no key to sign with')
  return { stored, byId, current }
}
