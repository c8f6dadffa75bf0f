import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Failure, internalError } from '../../functions/core/errors.ts'
import { type KeyRing, keyOf } from '../../functions/core/records/keys.ts'
import type { Item, Key } from './item.ts'

/** The keys of stored secrets. New values are encrypted with the current one. */
export type SecretKeys = KeyRing

/**
 * Encrypts with AES-256-GCM. Returns nonce, tag and content. It only decrypts with the same
 * `address`.
 */
export function seal(keys: SecretKeys, id: string, content: Uint8Array, address: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', subkey(keys, id, 'encrypt'), nonce)
  cipher.setAAD(Buffer.from(address))
  const encrypted = cipher.update(content)
  const rest = cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted, rest])
}

/** Decrypts a result of `seal`. Throws if it was changed. */
export function open(keys: SecretKeys, id: string, sealed: Uint8Array, address: string): Buffer {
  const decipher = createDecipheriv(
    'aes-256-gcm',
    subkey(keys, id, 'encrypt'),
    sealed.subarray(0, 12),
  )
  decipher.setAAD(Buffer.from(address))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

/**
 * Returns a value as attributes of the item with these keys: encrypted with the current key
 * (`sealed`), and the id of that key (`key`).
 */
export function sealedValue(keys: SecretKeys, place: Key, value: unknown) {
  const key = keys.current
  return { key, sealed: seal(keys, key, Buffer.from(JSON.stringify(value)), addressOf(place)) }
}

/** Returns the value from the attributes of `sealedValue`. Throws if they were changed. */
export function openedValue<T>(keys: SecretKeys, item: Item): T {
  const { key, sealed } = item
  return JSON.parse(open(keys, key as string, sealed as Uint8Array, addressOf(item)).toString())
}

/** What the value of an item is bound to. */
const addressOf = ({ pk, sk }: Key) => `${pk} ${sk}`

/**
 * Returns a handler that returns `value` for an item that cannot be decrypted, because it is
 * damaged or its key is missing. Rethrows failures of the store.
 */
export const ifUnreadable =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof Failure && error.message.startsWith('The store')) throw error
    return value
  }

function subkey(keys: SecretKeys, id: string, purpose: string): Buffer {
  const key = keyOf(keys, id)
  if (key?.length !== 32) throw internalError(`The key ${id} of the stored secrets is missing`)
  return Buffer.from(hkdfSync('sha256', key, '', `container-stacks ${purpose}`, 32))
}
