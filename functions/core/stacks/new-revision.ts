import type { StackRecord } from '../records/stack.ts'
import type { StackFiles } from '../records/stack-files.ts'

/** Revisions before the current one whose files stay stored. */
export const earlierMax = 19

/** Characters of their digests in the record, which is read often. */
const charactersMax = 32 * 1024

/**
 * Returns the changes of a stack's record that make files its newest revision. The files of the
 * revisions before it stay stored, up to twenty in all.
 */
export function newRevision(
  stack: Pick<StackRecord, 'files' | 'contentRevision' | 'earlier'>,
  files: StackFiles,
): Pick<StackRecord, 'files' | 'contentRevision' | 'earlier'> {
  const last = { revision: stack.contentRevision, files: stack.files }
  const all = [last, ...(stack.earlier ?? [])].slice(0, earlierMax)
  let characters = 0
  const earlier = all.filter((one) => {
    characters += JSON.stringify(one).length
    return characters <= charactersMax
  })
  return { files, contentRevision: stack.contentRevision + 1, earlier }
}
