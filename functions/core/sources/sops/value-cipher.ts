import { createDecipheriv } from 'node:crypto'
import { textIfUtf8 } from '../../stacks/new-file.ts'
import type { PlainValue } from './document.ts'
import { encryptedMark } from './sops-form.ts'

/** Returns whether a value is encrypted. An empty text never is. */
export const isEncrypted = (text: string): boolean => text.startsWith(encryptedMark)

const form =
  /^ENC\[AES256_GCM,data:([A-Za-z0-9+/=]*),iv:([A-Za-z0-9+/=]+),tag:([A-Za-z0-9+/=]+),type:(\w+)\]$/
const keyBytes = 32
const tagBytes = 16
/** sops draws 32 bytes for each value. */
const ivBytes = 32

/**
 * Decrypts a value.
 *
 * @param key 32 bytes
 * @param bound what the value is bound to, so that it means nothing in another place
 * @returns the value, or undefined if it is not as sops wrote it there
 */
export function tryDecrypt(text: string, key: Uint8Array, bound: string): PlainValue | undefined {
  const [, data, iv, tag, type] = form.exec(text) ?? []
  if (data === undefined || iv === undefined || tag === undefined || type === undefined) {
    return undefined
  }
  const [content, nonce, mark] = [data, iv, tag].map((one) => Buffer.from(one, 'base64')) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const fits = key.length === keyBytes && nonce.length === ivBytes && mark.length === tagBytes
  if (!fits) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(bound))
    decipher.setAuthTag(mark)
    const plain = textIfUtf8(Buffer.concat([decipher.update(content), decipher.final()]))
    return plain === undefined ? undefined : { type, text: plain }
  } catch {
    return undefined
  }
}
