import { createHash } from 'node:crypto'

/** Returns the fingerprint of a key in OpenSSH's format. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
