import type { Io } from '../io.ts'
import type { Printer } from '../output/print.ts'
import { answersYes } from '../prompt.ts'
import { shortList } from './short-list.ts'

/**
 * Returns which files to delete from a stack, of those that the directory does not have: all if the
 * user agrees, else none. Others may have added them, so without a terminal they are kept unless
 * `--yes` is given.
 */
export async function askRemoval(
  gone: readonly string[],
  { yes }: { yes: boolean },
  { io, print }: { io: Io; print: Printer },
): Promise<readonly string[]> {
  if (gone.length === 0) return []
  const count = gone.length === 1 ? 'this file' : `these ${gone.length} files`
  print.note(`only in the stack: ${shortList(gone)}`)
  const agrees = yes || (io.stdin.isTTY === true && (await answersYes(io, `Delete ${count}?`)))
  print.note(agrees ? `deleting ${count}` : `keeping ${count}; --yes deletes`)
  return agrees ? gone : []
}
