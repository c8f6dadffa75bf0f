import type { Needs } from '../ports/ports.ts'
import type { HostFile, HostLink } from '../records/host-engine.ts'
import { isLink, type StackTree, type TreeEntry } from '../records/stack-tree.ts'
import { readFile } from './tree.ts'

/** Files that are read at once. */
const readAtOnce = 8

/** Returns the files of a tree with their contents, and its links. */
export async function readHostFiles(
  tree: StackTree,
  ports: Needs<'texts'>,
): Promise<(HostFile | HostLink)[]> {
  const all = Object.entries(tree)
  const files: (HostFile | HostLink)[] = []
  for (let start = 0; start < all.length; start += readAtOnce) {
    const some = all.slice(start, start + readAtOnce)
    files.push(...(await Promise.all(some.map(([path, entry]) => hostFile(path, entry, ports)))))
  }
  return files
}

async function hostFile(path: string, entry: TreeEntry, ports: Needs<'texts'>) {
  if (isLink(entry)) return { path, link: entry.link }
  return { path, content: await readFile(entry, ports), mode: entry.mode }
}
