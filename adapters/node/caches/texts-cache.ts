import { LRUCache } from 'lru-cache'
import type { Texts } from '../../../functions/core/ports/texts.ts'

/**
 * Caches texts and contents that were read or written recently, up to `charactersMax` characters of
 * texts and as many bytes. The content of a digest never changes, and every deploy of a stack reads
 * the same ones. A content that was only written is not cached: whole trees are.
 */
export function cacheTexts(texts: Texts, charactersMax = 8 * 1024 * 1024): Texts {
  const known = cacheOf<string>(charactersMax)
  const contents = cacheOf<Uint8Array>(charactersMax)
  return {
    async put(text) {
      const digest = await texts.put(text)
      known.set(digest, text)
      return digest
    },
    get: (digest) => findOr(known, digest, () => texts.get(digest)),
    putMany: (contents) => texts.putMany(contents),
    digestOf: (text) => texts.digestOf(text),
    getBytes: (digest) => findOr(contents, digest, () => texts.getBytes(digest)),
  }
}

const cacheOf = <T extends { length: number }>(sizeMax: number) =>
  new LRUCache<string, T>({
    maxSize: sizeMax,
    maxEntrySize: sizeMax / 8,
    // The library refuses a size of 0.
    sizeCalculation: ({ length }) => Math.max(1, length),
  })

async function findOr<T extends { length: number }>(
  known: LRUCache<string, T>,
  digest: string,
  read: () => Promise<T>,
): Promise<T> {
  const found = known.get(digest)
  if (found !== undefined) return found
  const content = await read()
  known.set(digest, content)
  return content
}
