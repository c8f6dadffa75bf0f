import type { TextMark, TextMarks } from '../../functions/core/ports/text-marks.ts'
import { type Item, newRevision } from './item.ts'
import { type Condition, present, type Table } from './table.ts'
import { digestIn, textPartition, textPlace } from './text-keys.ts'
import { chunksOf } from './texts.ts'

/**
 * Lists and changes the heads of texts without reading their content. Each write has the condition
 * that `rev` is unchanged; storing the text again changes it. Chunks are deleted after their head,
 * so no text is ever incomplete.
 */
export function storedTextMarks(table: Table): TextMarks {
  const write = async (mark: TextMark, set: string, at: number) => {
    const values = { at, rev: newRevision(), seen: mark.revision }
    const change = { set: `${set}, #rev = :rev`, if: '#rev = :seen', values }
    return (await table.update(headOf(mark), change)) !== undefined
  }
  return {
    async list(after, limit) {
      const options = { after, limit, attributes: ['at', 'unused', 'rev'] }
      return (await table.queryIndex(textPartition, options)).map(markOf)
    },
    markUnused: (mark, at) => write(mark, '#unused = :at', at),
    // A time after `unused` means that the text is in use again.
    markUsed: (mark, at) => write(mark, '#at = :at', Math.max(at, (mark.unusedSince ?? 0) + 1)),
    async remove(mark) {
      const head = await table.take(headOf(mark), unchanged(mark))
      if (!head) return false
      await table.removeMany(chunksOf(head).map((sk) => ({ pk: head.pk, sk })))
      return true
    },
  }
}

const headOf = ({ digest }: TextMark) => ({ pk: textPlace(digest), sk: 'head' })

const unchanged = ({ revision }: TextMark): Condition => ({
  if: `${present.if} AND #rev = :seen`,
  values: { seen: revision },
})

function markOf(item: Item): TextMark {
  const [storedAt, unused] = [(item.at as number) ?? 0, item.unused as number | undefined]
  const unusedSince = unused !== undefined && unused > storedAt ? unused : null
  return {
    digest: digestIn(item.pk),
    storedAt,
    unusedSince,
    revision: item.rev as number,
  }
}
