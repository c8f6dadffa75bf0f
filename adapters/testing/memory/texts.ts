import { createHash, createHmac, randomBytes } from 'node:crypto'
import { internalError } from '../../../functions/core/errors.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { TextMark, TextMarks } from '../../../functions/core/ports/text-marks.ts'
import type { Texts } from '../../../functions/core/ports/texts.ts'

/** Returns an in-memory store of texts, and the port that sweeps them. */
export function memoryTexts(clock: Pick<Clock, 'now'>): { texts: Texts; textMarks: TextMarks } {
  const key = randomBytes(32)
  const stored = new Map<string, TextMark & { content: Uint8Array }>()
  const change = (mark: TextMark, next: Partial<TextMark>) => {
    const found = stored.get(mark.digest)
    if (found?.revision !== mark.revision) return false
    stored.set(mark.digest, { ...found, ...next, revision: found.revision + 1 })
    return true
  }
  const putBytes = async (content: Uint8Array) => {
    const digest = createHash('sha256').update(content).digest('hex')
    const known = stored.get(digest)
    // As in the other stores, content is stored again only after an hour.
    const isFresh = known?.unusedSince === null && known.storedAt > clock.now() - 3_600_000
    if (isFresh) return digest
    const revision = (known?.revision ?? 0) + 1
    stored.set(digest, {
      digest,
      content: Uint8Array.from(content),
      revision,
      storedAt: clock.now(),
      unusedSince: null,
    })
    return digest
  }
  const getBytes = async (digest: string) => {
    const found = stored.get(digest)
    if (found === undefined) throw internalError('A stored text is missing')
    return found.content
  }
  const texts: Texts = {
    put: (text) => putBytes(Buffer.from(text)),
    get: async (digest) => Buffer.from(await getBytes(digest)).toString(),
    putMany: (contents) => Promise.all(contents.map(putBytes)),
    digestOf: async (text) => createHmac('sha256', key).update(text).digest('hex'),
    getBytes,
  }
  const textMarks: TextMarks = {
    async list(after = '', limit) {
      const marks = [...stored.values()].map(({ content: _, ...mark }) => mark)
      const sorted = marks.sort((one, other) => (one.digest < other.digest ? -1 : 1))
      return sorted.filter(({ digest }) => digest > after).slice(0, limit)
    },
    markUnused: async (mark, at) => change(mark, { unusedSince: at }),
    markUsed: async (mark, at) => change(mark, { storedAt: at, unusedSince: null }),
    remove: async (mark) => change(mark, {}) && stored.delete(mark.digest),
  }
  return { texts, textMarks }
}
