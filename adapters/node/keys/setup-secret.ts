import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { findOrCreate, type KeyStore } from '../../../functions/core/ports/key-store.ts'
import type { Setup } from '../../../functions/core/ports/setup.ts'

/** The name of the secret in the key store, where it is until it is used. */
const name = 'setup-secret'

const lengthMin = 16

/**
 * Returns the set-up, which requires a secret: the configured one, or a random one. The random one
 * is in the key store and is passed to `print` at each start until it is used. The store knows
 * whether it was used. Throws if the configured secret is shorter than 16 characters.
 */
export async function prepareSetup(
  keys: KeyStore,
  store: Pick<Setup, 'open' | 'consume'>,
  print: (secret: string) => void,
  configured?: string,
): Promise<Setup> {
  if (configured !== undefined && configured.length < lengthMin) {
    throw new Error(`SERVICE_SETUP_SECRET is shorter than ${lengthMin} characters`)
  }
  // A cloud function may be allowed to read keys and not to remove them.
  const forget = async () => {
    if (await keys.find(name)) await keys.remove(name)
  }
  let secret: string | undefined
  if (!(await store.open())) await forget()
  else if (configured !== undefined) secret = configured
  else {
    const { text } = await findOrCreate(keys, name, () => `${randomSecret()}\n`)
    secret = text.trim()
    if (secret.length < lengthMin) throw new Error(`${keys.where(name)} contains no secret`)
    print(secret)
  }
  return {
    open: () => store.open(),
    async matches(presented) {
      return secret !== undefined && isSame(presented, secret) && (await store.open())
    },
    async consume() {
      const won = await store.consume()
      await forget()
      return won
    },
  }
}

const randomSecret = () => randomBytes(24).toString('base64url')

/** Compares digests, which have a fixed length, in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
