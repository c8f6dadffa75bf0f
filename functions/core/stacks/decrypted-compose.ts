import { followLinks } from '../../compose/load/tree-links.ts'
import { unprocessable } from '../errors.ts'
import { shownPath } from './file-path.ts'
import { linksOf, type StackTexts } from './texts.ts'

/**
 * Returns a file that a source encrypts and that is read as a compose file, because an `include` or
 * an `extends` names it; undefined if there is none. Links are followed.
 */
export function decryptedCompose(
  composeFiles: readonly string[],
  decrypted: ReadonlySet<string>,
  { tree }: Pick<StackTexts, 'tree'>,
): string | undefined {
  const links = new Map(Object.entries(linksOf(tree)))
  return composeFiles
    .map((path) => followLinks(path, links) ?? path)
    .find((path) => decrypted.has(path))
}

/** Returns the refusal of such a file in a change that a user makes. */
export const readAsCompose = (path: string): Error =>
  unprocessable(
    `${shownPath(path)}: the source encrypts this file, and a compose file is shown to all who may read the stack: include or extend another file`,
  )
