import { formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff'
import type { TextPair, TextSide } from '../records/text-pair.ts'

/** Lines around a change. */
const context = 3

/** Milliseconds for one file, and the edits after which a shortest diff is given up. */
const timeMax = 200
const editsMax = 2_000

/** Characters of one diff. */
const charactersMax = 1024 * 1024

/**
 * Returns the unified diff of each file in the format of Git, or null if it is longer than 1 MiB.
 * If a shortest diff takes too long, all lines between the first and the last change are replaced.
 */
export function diffTexts(pairs: readonly TextPair[]): (string | null)[] {
  return pairs.map((pair) => {
    const text = formatPatch({ ...headerOf(pair), hunks: hunksOf(pair) })
    return text.length > charactersMax ? null : text
  })
}

function headerOf({ path, before, after }: TextPair) {
  return {
    oldFileName: before ? `a/${path}` : '/dev/null',
    newFileName: after ? `b/${path}` : '/dev/null',
    oldHeader: undefined,
    newHeader: undefined,
    isGit: true,
    isCreate: !before,
    isDelete: !after,
    ...modesOf(before, after),
  }
}

function modesOf(before: TextSide | null, after: TextSide | null) {
  const [oldMode, newMode] = [before?.mode ?? undefined, after?.mode ?? undefined]
  if (before && after && (oldMode === newMode || !oldMode || !newMode)) return {}
  return { oldMode, newMode }
}

function hunksOf({ before, after }: TextPair): StructuredPatchHunk[] {
  const [one, other] = [before?.text ?? '', after?.text ?? '']
  if (one === other) return []
  const limits = { context, timeout: timeMax, maxEditLength: editsMax }
  const patch = structuredPatch('', '', one, other, undefined, undefined, limits)
  return patch?.hunks ?? [replacement(linesOf(one), linesOf(other))]
}

/** Returns one hunk that replaces everything between the first and the last change. */
function replacement(one: string[], other: string[]): StructuredPatchHunk {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start += 1
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  const removed = one.slice(start, one.length - end)
  const added = other.slice(start, other.length - end)
  return {
    oldStart: start + 1,
    oldLines: removed.length,
    newStart: start + 1,
    newLines: added.length,
    lines: [...marked('-', removed), ...marked('+', added)],
  }
}

/** Returns the lines of a text, each with its line break; the last one may have none. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const marked = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith('\n')
      ? [sign + line.slice(0, -1)]
      : [sign + line, '\\ No newline at end of file'],
  )
