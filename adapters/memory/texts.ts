import { createHash } from 'node:crypto'
import { broken } from '../../functions/core/errors.ts'
import type { Texts } from '../../functions/core/stacks/ports.ts'

/** Texts on a map. */
export function memoryTexts(): Texts {
  const texts = new Map<string, string>()
  return {
    async put(text) {
      const digest = createHash('sha256').update(text).digest('hex')
      texts.set(digest, text)
      return digest
    },
    async get(digest) {
      const text = texts.get(digest)
      if (text === undefined) throw broken('A stored text is missing')
      return text
    },
  }
}
