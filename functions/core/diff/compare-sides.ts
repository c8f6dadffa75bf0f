import type { Engine } from '../ports/engine.ts'
import type { StackRecord } from '../records/stack.ts'
import { isLink, type StackTree, type TreeEntry } from '../records/stack-tree.ts'
import { entryAt, fileEntry, isSameEntry, sizeOf } from '../stacks/tree.ts'
import type { Side } from './sides.ts'

/** A file that differs between two sides. */
export interface FileChange {
  path: string
  change: 'added' | 'removed' | 'modified'
  before: TreeEntry | undefined
  after: TreeEntry | undefined
}

/** Files and bytes that are read from the host at once, by the sizes that they should have. */
const readFilesMax = 16
const readBytesMax = 4 * 1024 * 1024

/**
 * Returns the files that differ, sorted by path. On the host, only the paths of the other side and
 * those that were last written are looked at, and neither modes nor links are compared.
 *
 * @param written the files that were last written to the host
 */
export async function compareSides(
  from: Side,
  to: Side,
  { stack, written, engine }: { stack: StackRecord; written: StackTree; engine(): Promise<Engine> },
): Promise<FileChange[]> {
  if (!from.tree && !to.tree) return []
  const known = { ...written, ...(from.tree ?? to.tree) }
  const onHost = from.tree && to.tree ? {} : await readHost(known, stack.directory, await engine())
  const [one, other] = [from.tree ?? onHost, to.tree ?? onHost]
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort()
  return paths.flatMap((path): FileChange[] => {
    const [before, after] = [entryAt(one, path), entryAt(other, path)]
    if (isSame(before, after)) return []
    const change = !before ? 'added' : !after ? 'removed' : 'modified'
    return [{ path, change, before, after }]
  })

  function isSame(before: TreeEntry | undefined, after: TreeEntry | undefined): boolean {
    if (from.tree && to.tree) return isSameEntry(before, after)
    const entry = before ?? after
    if (!before || !after) return entry !== undefined && isLink(entry)
    return !isLink(before) && !isLink(after) && before.sha256 === after.sha256
  }
}

/** Returns the regular files of the host at the paths of a tree. */
async function readHost(tree: StackTree, directory: string, engine: Engine): Promise<StackTree> {
  const found: [string, TreeEntry][] = []
  for (const paths of inChunks(tree)) {
    for (const { path, content, mode } of await engine.readFiles(directory, paths)) {
      found.push([path, fileEntry('', content, mode)])
    }
  }
  return Object.fromEntries(found)
}

/** Yields the paths of files in chunks of a bounded size. */
function* inChunks(tree: StackTree): Generator<string[]> {
  let [chunk, bytes]: [string[], number] = [[], 0]
  for (const [path, entry] of Object.entries(tree)) {
    if (isLink(entry)) continue
    if (chunk.length >= readFilesMax || (chunk.length > 0 && bytes > readBytesMax)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(path)
    bytes += sizeOf(entry)
  }
  if (chunk.length > 0) yield chunk
}
