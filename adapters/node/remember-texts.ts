import type { Texts } from '../../functions/core/stacks/ports.ts'

/**
 * Caches texts that were read or written recently, up to `charactersMax` characters. The text of a
 * digest never changes, and every deploy of a stack reads the same ones.
 */
export function rememberTexts(texts: Texts, charactersMax = 8 * 1024 * 1024): Texts {
  const known = new Map<string, string>()
  let size = 0
  const keep = (digest: string, text: string) => {
    if (text.length > charactersMax / 8) return
    forget(digest)
    known.set(digest, text)
    size += text.length
    for (const oldest of known.keys()) {
      if (size <= charactersMax) break
      forget(oldest)
    }
  }
  const forget = (digest: string) => {
    size -= known.get(digest)?.length ?? 0
    known.delete(digest)
  }
  return {
    async put(text) {
      const digest = await texts.put(text)
      keep(digest, text)
      return digest
    },
    async get(digest) {
      const text = known.get(digest) ?? (await texts.get(digest))
      keep(digest, text)
      return text
    },
  }
}
