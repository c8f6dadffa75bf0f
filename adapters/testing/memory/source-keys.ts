import type { SourceKeys } from '../../../functions/core/ports/source-keys.ts'

/** Returns keys that are numbered. A private key is any text that begins with `private `. */
export function memorySourceKeys(): SourceKeys {
  let count = 0
  const pairOf = (privateKey: string, comment: string) => ({
    privateKey,
    publicKey: `ssh-ed25519 ${privateKey.slice('private '.length)} ${comment}`,
  })
  return {
    async make(comment) {
      count += 1
      return pairOf(`private made${count}`, comment)
    },
    async read(privateKey, comment) {
      return privateKey.startsWith('private ') ? pairOf(privateKey, comment) : undefined
    },
  }
}
