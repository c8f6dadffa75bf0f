import { createHash } from 'node:crypto'
import type { StackRecord } from '../records/stack.ts'
import { isLink, type StackTree, type TreeEntry, type TreeFile } from '../records/stack-tree.ts'
import { hasSecretName } from './secret-paths.ts'
import { sizeOf } from './tree.ts'

/** A file of a stack as a caller sees it. */
export interface ShownFile {
  path: string
  size: number
  mode: string | null
  digest: string | null
  link: string | null
  secret: boolean
}

/** Returns whether the content of a file needs `stacks:secrets`. */
export const isSecretFile = (
  path: string,
  entry: TreeEntry,
  { files }: Pick<StackRecord, 'files'>,
): boolean =>
  !isLink(entry) &&
  // Records of earlier versions do not say which of their files are secret.
  (entry.secret === true || hasSecretName(path) || Object.hasOwn(files.others, path))

/** Returns the files of a stack sorted by path, for a caller with or without `stacks:secrets`. */
export const shownFiles = (
  tree: StackTree,
  stack: Pick<StackRecord, 'id' | 'files'>,
  readsSecrets: boolean,
): ShownFile[] =>
  Object.entries(tree)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, entry]) => shownFile(path, entry, stack, readsSecrets))

/** Returns one file of a stack, for a caller with or without `stacks:secrets`. */
export function shownFile(
  path: string,
  entry: TreeEntry,
  stack: Pick<StackRecord, 'id' | 'files'>,
  readsSecrets: boolean,
): ShownFile {
  if (isLink(entry)) {
    return { path, size: sizeOf(entry), mode: null, digest: null, link: entry.link, secret: false }
  }
  const secret = isSecretFile(path, entry, stack)
  const digest = secret && !readsSecrets ? opaqueDigest(path, entry, stack) : entry.sha256
  const mode = entry.mode.toString(8).padStart(4, '0')
  return { path, size: entry.size, mode, digest, link: null, secret }
}

/**
 * Returns a digest that changes with the content but does not help to guess it: it is derived from
 * the reference to the stored content, which is keyed. Equal contents at two paths have different
 * ones.
 */
const opaqueDigest = (
  path: string,
  { digest }: TreeFile,
  { id }: Pick<StackRecord, 'id'>,
): string =>
  createHash('sha256')
    .update(JSON.stringify(['secret file', id, path, digest]))
    .digest('hex')
