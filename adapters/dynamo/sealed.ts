import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { broken } from '../../functions/core/errors.ts'
import { type KeyRing, keyOf } from '../../functions/core/keys.ts'

/** New values are encrypted with the current one. */
export type SecretKeys = KeyRing

/** Encrypted with AES-256-GCM: nonce, tag, content. It opens under the same `address` alone. */
export function seal(keys: SecretKeys, id: string, content: Uint8Array, address: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', subkey(keys, id, 'encrypt'), nonce)
  cipher.setAAD(Buffer.from(address))
  const encrypted = cipher.update(content)
  const rest = cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted, rest])
}

/** What `seal` encrypted. Throws when anything of it was changed. */
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

/** A digest of 64 hex digits that nobody without the key can compare with a guess. */
export function digestOf(keys: SecretKeys, id: string, text: string): string {
  return createHmac('sha256', subkey(keys, id, 'digest'))
    .update(text)
    .digest('hex')
}

function subkey(keys: SecretKeys, id: string, purpose: string): Buffer {
  const key = keyOf(keys, id)
  if (key?.length !== 32) throw broken(`The key ${id} of the stored secrets is missing`)
  return Buffer.from(hkdfSync('sha256', key, '', `container-stacks ${purpose}`, 32))
}
