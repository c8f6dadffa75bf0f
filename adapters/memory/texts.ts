import { createHash } from 'node:crypto'
import { broken } from '../../functions/core/errors.ts'
import type { TextMark, TextMarks } from '../../functions/core/retention/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import type { Texts } from '../../functions/core/stacks/ports.ts'

/** Returns texts in memory, and the port that sweeps them. */
export function memoryTexts(clock: Pick<Clock, 'now'>): { texts: Texts; textMarks: TextMarks } {
  const stored = new Map<string, TextMark & { text: string }>()
  const change = (mark: TextMark, next: Partial<TextMark>) => {
    const found = stored.get(mark.digest)
    if (found?.revision !== mark.revision) return false
    stored.set(mark.digest, { ...found, ...next, revision: found.revision + 1 })
    return true
  }
  const texts: Texts = {
    async put(text) {
      const digest = createHash('sha256').update(text).digest('hex')
      const revision = (stored.get(digest)?.revision ?? 0) + 1
      stored.set(digest, { digest, text, storedAt: clock.now(), unusedSince: null, revision })
      return digest
    },
    async get(digest) {
      const found = stored.get(digest)
      if (found === undefined) throw broken('A stored text is missing')
      return found.text
    },
  }
  const textMarks: TextMarks = {
    async list(after = '', limit) {
      const marks = [...stored.values()].map(({ text: _, ...mark }) => mark)
      const sorted = marks.sort((one, other) => (one.digest < other.digest ? -1 : 1))
      return sorted.filter(({ digest }) => digest > after).slice(0, limit)
    },
    markUnused: async (mark, at) => change(mark, { unusedSince: at }),
    markUsed: async (mark, at) => change(mark, { storedAt: at, unusedSince: null }),
    remove: async (mark) => change(mark, {}) && stored.delete(mark.digest),
  }
  return { texts, textMarks }
}
