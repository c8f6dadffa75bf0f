import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Setup } from '../../../functions/core/ports/setup.ts'
import { readOrCreatePrivate } from './private-file.ts'

/** Returns the path of the secret's file, which exists until it is used. */
export const setupSecretFile = (dataDirectory: string) => join(dataDirectory, 'setup-secret')

const lengthMin = 16

/**
 * Returns the set-up, which requires a secret: the configured one, or a random one. The random one
 * is in a file with mode 0600 and is passed to `print` at each start until it is used. The store
 * only knows whether it was used. Throws if the configured secret is shorter than 16 characters.
 */
export async function prepareSetup(
  dataDirectory: string,
  store: Pick<Setup, 'open' | 'consume'>,
  print: (secret: string, file: string) => void,
  configured?: string,
): Promise<Setup> {
  if (configured !== undefined && configured.length < lengthMin) {
    throw new Error(`SERVICE_SETUP_SECRET is shorter than ${lengthMin} characters`)
  }
  const file = setupSecretFile(dataDirectory)
  const forget = () => rm(file, { force: true })
  let secret: string | undefined
  if (!(await store.open())) await forget()
  else if (configured !== undefined) secret = configured
  else {
    secret = (await readOrCreatePrivate(file, () => `${randomSecret()}\n`)).trim()
    if (secret.length < lengthMin) throw new Error('the file setup-secret contains no secret')
    print(secret, file)
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
