import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { isSecretAt } from './is-secret.ts'
import { revisionFiles } from './revision-files.ts'
import { allFiles } from './texts.ts'
import { entryAt } from './tree.ts'

/**
 * Returns all files of a stack at a revision that is still stored; undefined stands for the current
 * one. A file counts as secret if it is secret there or now.
 *
 * @throws 404 for a revision that is not stored
 */
export async function revisionTree(
  stack: StackRecord,
  revision: number | undefined,
  ports: Needs<'texts' | 'deployments'>,
): Promise<StackTree> {
  const files = await revisionFiles(stack, revision, ports)
  const tree = await allFiles(files, stack, ports)
  if (files === stack.files) return tree
  const now = await allFiles(stack.files, stack, ports)
  const marked = Object.entries(tree).map(([path, entry]) => {
    const isSecret = isSecretAt(path, [entry, entryAt(now, path)], [files, stack.files])
    return [path, isSecret && !isLink(entry) ? { ...entry, secret: true as const } : entry] as const
  })
  return Object.fromEntries(marked)
}
