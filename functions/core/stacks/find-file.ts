import { invalid, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { TreeEntry } from '../records/stack-tree.ts'
import { pathProblem, shownPath } from './file-path.ts'
import { allFiles } from './texts.ts'
import { entryAt } from './tree.ts'

/**
 * Returns the file at a path of a stack.
 *
 * @throws 400 if this cannot be the path of a file, 404 if the stack has no such file
 */
export async function findFile(
  stack: StackRecord,
  path: string,
  ports: Needs<'texts'>,
): Promise<TreeEntry> {
  const problem = pathProblem(path)
  if (problem !== undefined) throw invalid(`query.path: ${shownPath(path)} ${problem}`)
  const tree = await allFiles(stack.files, stack, ports)
  const entry = entryAt(tree, path)
  if (entry) return entry
  const isDirectory = Object.keys(tree).some((other) => other.startsWith(`${path}/`))
  throw notFound(
    isDirectory
      ? `stack ${stack.id}: ${shownPath(path)} is a directory: name a file in it`
      : `stack ${stack.id}: it has no file ${shownPath(path)}`,
  )
}
