import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Setup } from '../../functions/core/access/ports.ts'
import { readOrMakePrivate } from './private-file.ts'

/** Where the secret is kept until it is used. */
export const setupSecretFile = (dataDirectory: string) => join(dataDirectory, 'setup-secret')

const lengthMin = 16

/**
 * The right to set up, held by who knows the secret: the configured one, else one that is random, kept in a 0600 file
 * until it is used and handed to `print` at each start until then. The store knows only whether the right was used.
 * Throws for a configured secret under 16 characters.
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
    secret = (await readOrMakePrivate(file, () => `${randomSecret()}\n`)).trim()
    if (secret.length < lengthMin) throw new Error('the file setup-secret holds no secret')
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

/** Digests have one length and are compared in one time, whatever was presented. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
