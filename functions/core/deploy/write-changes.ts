import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { isAtOrBelow, parentsOf } from '../stacks/file-path.ts'
import { readHostFiles } from '../stacks/host-files.ts'
import { sizeOf } from '../stacks/tree.ts'
import type { HostChanges } from './host-changes.ts'

/** Limits of what is in memory and in one call. A single file may be larger. */
const bytesMax = 8 * 1024 * 1024
const filesMax = 500

/**
 * Writes the changes of a deploy into the stack's directory, some files at a time. Paths that are
 * in the way of others, because a file became a directory or the reverse, are removed first.
 *
 * @param before called before each call that writes files
 */
export async function writeChanges(
  engine: Engine,
  directory: string,
  { write, remove }: HostChanges,
  ports: Needs<'texts'>,
  before: () => Promise<unknown>,
): Promise<void> {
  const written = Object.keys(write)
  const inTheWay = new Set(remove.filter((path) => isInTheWay(path, written)))
  if (inTheWay.size > 0) {
    await engine.writeFiles(directory, [], [...inTheWay], emptiedBy(inTheWay, written))
  }
  const rest = remove.filter((path) => !inTheWay.has(path))
  const batches = batchesOf(write)
  const last = batches.pop() ?? {}
  for (const batch of batches) {
    await before()
    await engine.writeFiles(directory, await readHostFiles(batch, ports))
  }
  await before()
  await engine.writeFiles(directory, await readHostFiles(last, ports), rest)
}

const isInTheWay = (path: string, written: readonly string[]) =>
  written.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`))

/** Returns the directories of removed files that files will replace, inner ones first. */
function emptiedBy(removed: Iterable<string>, written: readonly string[]): string[] {
  const directories = new Set([...removed].flatMap((path) => [...parentsOf(path)]))
  return [...directories]
    .filter((one) => written.some((path) => isAtOrBelow(one, path)))
    .sort((one, other) => other.length - one.length)
}

/** Returns the tree in parts, files before links. */
function batchesOf(tree: StackTree): StackTree[] {
  const links = Object.entries(tree).filter(([, entry]) => isLink(entry))
  const files = Object.entries(tree).filter(([, entry]) => !isLink(entry))
  const batches: [string, StackTree[string]][][] = []
  let bytes = 0
  for (const one of [...files, ...links]) {
    const size = sizeOf(one[1])
    const last = batches.at(-1)
    if (last && bytes + size <= bytesMax && last.length < filesMax) last.push(one)
    else {
      batches.push([one])
      bytes = 0
    }
    bytes += size
  }
  return batches.map((batch) => Object.fromEntries(batch))
}
