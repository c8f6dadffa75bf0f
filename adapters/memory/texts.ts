import { createHash } from 'node:crypto'
import { broken } from '../../functions/core/errors.ts'
import type { Texts } from '../../functions/core/stacks/ports.ts'

/** Texts on a map. A secret one has another digest than the same text in the open. */
export function memoryTexts(): Texts {
  const texts = new Map<string, string>()
  return {
    async put(text, options = {}) {
      const marked = options.secret ? `secret:${text}` : text
      const digest = createHash('sha256').update(marked).digest('hex')
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
