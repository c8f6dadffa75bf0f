import { invalid } from '../errors.ts'
import type { StackRecord } from '../records/stack.ts'
import { foldedPath, shownPath } from './file-path.ts'
import { composeFilesOf, mainFileOf } from './texts.ts'

/** A file of a stack that is stored as a text of its record. All other files are in its tree. */
export type TextFile =
  | { kind: 'compose' }
  | { kind: 'env' }
  | { kind: 'overlay'; environment: string }

const overlay = /^compose\.([a-z0-9][a-z0-9_-]{0,62})\.yaml$/

/** Returns which text file of a stack has this path, or undefined for a file of its tree. */
export function textFileAt(
  path: string,
  stack: Pick<StackRecord, 'composeFiles'>,
): TextFile | undefined {
  if (path === mainFileOf(stack)) return { kind: 'compose' }
  if (path === '.env') return { kind: 'env' }
  // An adopted stack can have further compose files, which are in the tree.
  const [, environment] = composeFilesOf(stack).includes(path) ? [] : (overlay.exec(path) ?? [])
  return environment === undefined ? undefined : { kind: 'overlay', environment }
}

/**
 * Refuses a second spelling of compose.yaml, `.env` or an overlay: it is the same file where the
 * file system ignores case, and the host would decide which one counts.
 *
 * @throws 400
 */
export function refuseOtherSpelling(path: string, stack: Pick<StackRecord, 'composeFiles'>): void {
  if (textFileAt(path, stack) || composeFilesOf(stack).includes(path)) return
  const folded = foldedPath(path)
  const main = mainFileOf(stack)
  const meant = folded === foldedPath(main) ? main : textFileAt(folded, stack) && folded
  if (meant !== undefined && meant !== path) {
    throw invalid(`${shownPath(path)}: this is another spelling of ${meant}: use that name`)
  }
}
