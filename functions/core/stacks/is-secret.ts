import type { StackFiles } from '../records/stack-files.ts'
import { isLink, type TreeEntry } from '../records/stack-tree.ts'
import { hasSecretName } from './secret-paths.ts'

/**
 * Returns whether the content of a file needs `stacks:secrets`: one of its states is secret, or its
 * name says so, or a record of an earlier version has it, which does not say.
 */
export const isSecretAt = (
  path: string,
  entries: readonly (TreeEntry | undefined)[],
  files: readonly (StackFiles | undefined)[],
): boolean =>
  hasSecretName(path) ||
  entries.some((entry) => entry && !isLink(entry) && entry.secret === true) ||
  files.some((one) => one && Object.hasOwn(one.others, path))
