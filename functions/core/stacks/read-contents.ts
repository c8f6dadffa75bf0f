import type { Needs } from '../ports/ports.ts'
import { isLink, type StackTree, type TreeFile } from '../records/stack-tree.ts'
import { readFile } from './tree.ts'

/** A place in the contents of a tree, whose files are in the order of their paths. */
export interface ContentPlace {
  path: string
  /** Bytes of the file before the place. */
  offset: number
}

/** A part of a file, or all of it. */
export interface ContentPart extends ContentPlace {
  data: Uint8Array
}

/** One response has at most this many bytes of content, and this many files. */
export const pageBytesMax = 4 * 1024 * 1024
export const pageFilesMax = 500

/** Files that are read at once. */
const readAtOnce = 8

/**
 * Returns the contents of a tree from a place on, as many as one response may have, and the place
 * of what follows; null at the end. Links, and files that `isShown` refuses, are left out.
 */
export async function readContents(
  tree: StackTree,
  from: ContentPlace,
  isShown: (path: string, file: TreeFile) => boolean,
  ports: Needs<'texts'>,
): Promise<{ parts: ContentPart[]; next: ContentPlace | null }> {
  const { ranges, next } = choose(tree, from, isShown)
  const parts: ContentPart[] = []
  for (let start = 0; start < ranges.length; start += readAtOnce) {
    const some = ranges
      .slice(start, start + readAtOnce)
      .map(async ({ path, file, offset, end }) => {
        const content = await readFile(file, ports)
        return { path, offset, data: content.subarray(offset, end) }
      })
    parts.push(...(await Promise.all(some)))
  }
  return { parts, next }
}

interface Range extends ContentPlace {
  file: TreeFile
  end: number
}

/** Chooses what fits into one response: at least a part of the first file. */
function choose(
  tree: StackTree,
  from: ContentPlace,
  isShown: (path: string, file: TreeFile) => boolean,
): { ranges: Range[]; next: ContentPlace | null } {
  const ranges: Range[] = []
  let left = pageBytesMax
  for (const [path, file] of Object.entries(tree).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    if (path < from.path || isLink(file) || !isShown(path, file)) continue
    const offset = path === from.path ? Math.min(from.offset, file.size) : 0
    const isFull = ranges.length >= pageFilesMax || (left === 0 && file.size > 0)
    if (isFull) return { ranges, next: { path, offset } }
    const end = Math.min(file.size, offset + left)
    ranges.push({ path, file, offset, end })
    left -= end - offset
    if (end < file.size) return { ranges, next: { path, offset: end } }
  }
  return { ranges, next: null }
}
