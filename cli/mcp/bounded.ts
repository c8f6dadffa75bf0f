import { isRecord } from '../output/rows.ts'

/** Letters of the JSON of a result. An assistant reads all of it. */
export const lettersMax = 40_000

/** A value that fits, and what was cut from it in words. */
interface Bounded {
  data: unknown
  cut: string[]
}

/**
 * Returns a value whose JSON is not longer than the limit. A list keeps whole entries: the first
 * ones, or with `end` the last ones, as for a log. Anything else becomes the beginning of its JSON,
 * as a text.
 */
export function bounded(value: unknown, keep: 'start' | 'end', max = lettersMax): Bounded {
  const text = JSON.stringify(value) ?? 'null'
  if (text.length <= max) return { data: value, cut: [] }
  // A list of several hosts: what each has, and the hosts that did not answer.
  if (isRecord(value) && Array.isArray(value.items)) {
    const { data, cut } = bounded(value.items, keep, max)
    return { data: { ...value, items: data }, cut }
  }
  if (!Array.isArray(value)) return beginningOf(text, max)
  const inOrder = keep === 'end' ? value.toReversed() : value
  const kept = entriesThatFit(inOrder, max)
  if (kept.length === 0) return beginningOf(JSON.stringify(inOrder[0]), max)
  const side = keep === 'end' ? 'last' : 'first'
  return {
    data: keep === 'end' ? kept.toReversed() : kept,
    cut: [
      `Cut: the ${side} ${kept.length} of ${value.length} entries. Narrow the list with the arguments of the tool.`,
    ],
  }
}

function entriesThatFit(entries: readonly unknown[], max: number): unknown[] {
  const kept: unknown[] = []
  let room = max
  for (const entry of entries) {
    room -= JSON.stringify(entry).length + 1
    if (room < 0) break
    kept.push(entry)
  }
  return kept
}

const beginningOf = (text: string, max: number): Bounded => ({
  data: text.slice(0, max),
  cut: [`Cut: the first ${max} of ${text.length} letters of the JSON, as a text.`],
})
