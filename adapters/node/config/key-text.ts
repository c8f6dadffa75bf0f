import { createHash, randomBytes } from 'node:crypto'

/** A key of 32 bytes, and its id, which reveals nothing about it. */
export interface ParsedKey {
  id: string
  key: Uint8Array
}

/** Returns the text of a new random key. */
export const newKeyText = () => `${randomBytes(32).toString('base64')}\n`

/**
 * Parses a key in base64 or hex. `source` names it for people.
 *
 * @throws Error, without the text, if it is not a key
 */
export function parseKey(text: string, source: string): ParsedKey {
  const trimmed = text.trim()
  const isHex = /^([0-9a-f]{2})+$/i.test(trimmed)
  const bytes = Buffer.from(trimmed, isHex ? 'hex' : 'base64')
  if (/^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i.test(trimmed)) {
    const key = new Uint8Array(bytes)
    return { id: keyId(key), key }
  }
  const isEncoded = isHex || /^[A-Za-z0-9+/_-]+={0,2}$/.test(trimmed)
  const found = isEncoded ? `it has ${bytes.length} bytes` : 'it is neither'
  throw new Error(`${source} is not a key: must be 32 random bytes in base64 or hex, and ${found}`)
}

/** Returns the keys in a list with commas, in its order. `variable` names it for people. */
export const parseKeys = (list: string, variable: string): ParsedKey[] =>
  list.split(',').map((text) => parseKey(text, variable))

/** Returns the id of the key in a file of a ring. Throws if the text is not a key. */
export const keyIdIn = (text: string, source: string) => parseKey(text, source).id

const keyId = (key: Uint8Array) =>
  createHash('sha256').update('container-stacks key id').update(key).digest('hex').slice(0, 16)
