import { streamedSha256 } from './streamed-sha256.ts'

/** Returns the SHA-256 of bytes, also on plain http, where single sign-on needs it too. */
export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = streamedSha256()
  hash.update(message)
  return hash.digest()
}
