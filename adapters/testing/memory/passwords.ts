import { createHash } from 'node:crypto'
import type { Passwords } from '../../../functions/core/ports/passwords.ts'

/** Returns password hashing that is fast and unsafe, for tests only. */
export function memoryPasswords(): Passwords {
  const scheme = (password: string) => createHash('sha256').update(password).digest('base64url')
  return {
    async hash(password) {
      return scheme(password)
    },
    async verify(password, hash) {
      return typeof hash === 'string' && scheme(password) === hash
    },
  }
}
