import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readOrMakePrivate, readPrivate } from './private-file.ts'

/** Keys of 32 bytes by id; what is newly stored is encrypted with the current one. */
export interface LoadedSecretKeys {
  current: string
  keys: Record<string, Uint8Array>
}

/**
 * The key of the secrets at rest: the configured one (32 bytes in base64 or hex), else that of the file `secret-key` in
 * the data directory, made at the first start. The file's key stays readable when one is configured later. Throws for a
 * text that is no key.
 */
export async function loadSecretKeys(
  dataDirectory: string,
  configured?: string,
): Promise<LoadedSecretKeys> {
  const file = join(dataDirectory, 'secret-key')
  const own = 'the file secret-key in the data directory'
  if (configured === undefined) {
    const made = () => `${randomBytes(32).toString('base64')}\n`
    return keysOf(readKey(await readOrMakePrivate(file, made), own))
  }
  const older = await readPrivate(file)
  return keysOf(
    readKey(configured, 'SERVICE_SECRET_KEY'),
    ...(older === undefined ? [] : [readKey(older, own)]),
  )
}

const keysOf = (current: Uint8Array, ...others: Uint8Array[]): LoadedSecretKeys => ({
  current: keyId(current),
  keys: Object.fromEntries([current, ...others].map((key) => [keyId(key), key])),
})

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
