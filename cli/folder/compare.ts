import type { StackFile } from '../api/types.ts'
import type { FolderEntry } from './folder-entry.ts'
import type { FolderFiles } from './folder-files.ts'
import { readContent } from './read-content.ts'

/** How the files of a directory differ from those of the stack. */
export interface FolderChange {
  /** Files and links that are new or differ. */
  changed: FolderEntry[]
  /** How many are the same. */
  unchanged: number
}

/**
 * Compares the files of a directory with those that the stack has, by digest, mode and target.
 * Files that cannot be read are left out.
 */
export async function compareFiles(
  found: FolderFiles,
  stored: readonly StackFile[],
): Promise<FolderChange> {
  const before = new Map(stored.map((file) => [file.path, file]))
  const changed: FolderEntry[] = []
  for (const entry of [...found.entries.values()]) {
    const same = await isSame(entry, before.get(entry.path), found)
    if (same === false) changed.push(entry)
  }
  return { changed, unchanged: found.entries.size - changed.length }
}

/** Returns undefined for a file that cannot be read. */
async function isSame(
  entry: FolderEntry,
  stored: StackFile | undefined,
  found: FolderFiles,
): Promise<boolean | undefined> {
  if ('link' in entry) return stored?.link === entry.link
  if (!stored || stored.digest === null) return false
  // The digest of a secret file is not comparable without the permission to read it; then the file
  // is sent, and the service ignores what is the same.
  if (stored.size !== entry.size || Number.parseInt(stored.mode ?? '', 8) !== entry.mode)
    return false
  const content = await readContent(entry)
  if (typeof content !== 'string') return content.sha256 === stored.digest
  found.entries.delete(entry.path)
  found.leaveOut(entry.path, content)
  return undefined
}
