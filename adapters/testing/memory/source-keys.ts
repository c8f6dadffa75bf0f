import type { SourceKeys } from '../../../functions/core/ports/source-keys.ts'
import { ageKeys } from '../../blobs/age-keys.ts'

/**
 * Returns keys for ssh that are numbered: a private key is any text that begins with `private `.
 * Those of age are real.
 */
export function memorySourceKeys(): SourceKeys {
  let count = 0
  const pairOf = (privateKey: string, comment: string) => ({
    privateKey,
    publicKey: `ssh-ed25519 ${privateKey.slice('private '.length)} ${comment}`,
  })
  return {
    ...ageKeys(),
    async make(comment) {
      count += 1
      return pairOf(`private made${count}`, comment)
    },
    async read(privateKey, comment) {
      return privateKey.startsWith('private ') ? pairOf(privateKey, comment) : undefined
    },
  }
}
