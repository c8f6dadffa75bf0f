import { constants, type Dirent, type Stats } from 'node:fs'
import { access, lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../failure.ts'

/** What a walk finds. Paths are relative to `root`. */
export interface Visitor {
  file(path: string, stats: Stats): void
  link(path: string, target: string): void
  /** Something that cannot be sent, with the reason. */
  other(path: string, reason: string): void
  /** Returns whether to walk this directory. */
  enters(path: string): boolean
  /** Returns whether to end the walk. */
  isDone?(): boolean
}

/**
 * Visits everything below a directory, sorted by name. Follows no links, so that it ends on every
 * tree. What vanishes meanwhile is not visited.
 */
export async function walk(root: string, directory: string, visitor: Visitor): Promise<void> {
  const waiting = [directory]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const inside = await namesIn(root, next, visitor)
    const below: string[] = []
    for (const entry of inside) {
      if (visitor.isDone?.()) return
      const path = next === '' ? entry.name : `${next}/${entry.name}`
      if (!entry.isDirectory()) await visit(root, path, visitor)
      else if (visitor.enters(path)) below.push(path)
    }
    waiting.push(...below.reverse())
  }
}

async function namesIn(root: string, directory: string, visitor: Visitor): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(root, directory), { withFileTypes: true })
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return []
    if (!hasCode(error, 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EIO')) throw error
    visitor.other(`${directory}/`, 'a directory that cannot be read')
    return []
  }
}

/** Returns whether a directory has nothing in it; not if it cannot be read. */
export async function isEmptyDirectory(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length === 0
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EIO')) return false
    throw error
  }
}

/** Visits one path that is not a directory. */
export async function visit(
  root: string,
  path: string,
  visitor: Pick<Visitor, 'file' | 'link' | 'other'>,
): Promise<void> {
  // The name has bytes that are not UTF-8, so that the file cannot be opened by it.
  if (path.includes('\ufffd')) return visitor.other(path, 'its name is not UTF-8')
  const source = join(root, path)
  try {
    const stats = await lstat(source)
    if (stats.isSymbolicLink()) return visitor.link(path, await readlink(source))
    if (!stats.isFile()) return visitor.other(path, kindOf(stats))
    await access(source, constants.R_OK)
    visitor.file(path, stats)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return
    if (!hasCode(error, 'EACCES', 'EPERM', 'ENAMETOOLONG', 'EIO', 'EINVAL')) throw error
    visitor.other(path, 'cannot be read')
  }
}

/** Returns what something is that is neither file, directory nor link. */
export function kindOf(stats: Stats): string {
  if (stats.isSocket()) return 'a socket'
  if (stats.isFIFO()) return 'a FIFO'
  return stats.isDirectory() ? 'a directory' : 'a device'
}
