import { chmod, mkdir, mkdtemp, rename, rm, rmdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failed, hasCode } from '../failure.ts'
import { parentsOf } from '../folder/path-rules.ts'
import { statsAt } from '../folder/stats-at.ts'
import { clean } from '../output/text.ts'
import type { StoredEntry, StoredFile } from './stored-entry.ts'

/** What to change in a directory. */
export interface FolderChange {
  /** The files to write, sorted by path; the others are links. */
  files: readonly StoredFile[]
  links: readonly Extract<StoredEntry, { link: string }>[]
  /** Paths to delete. */
  remove: readonly string[]
}

/**
 * Changes files of a directory, each whole or not at all. Nothing changes before `fetch` has
 * written all contents into a temporary directory beside them, under their index. A directory that
 * does not exist appears as a whole. Links in it are never followed.
 */
export async function putInPlace(
  root: string,
  { files, links, remove }: FolderChange,
  fetch: (directory: string) => Promise<void>,
): Promise<void> {
  const isNew = !(await statsAt(root))
  if (isNew) await mkdir(dirname(root), { recursive: true })
  const staging = await mkdtemp(join(isNew ? dirname(root) : root, '.download-')).catch((cause) => {
    throw failed(`${clean(root)} cannot be written`, { cause })
  })
  try {
    await fetch(staging)
    const target = isNew ? join(staging, 'new') : root
    if (isNew) await mkdir(target)
    for (const [index, { path, mode }] of files.entries()) {
      const staged = join(staging, String(index))
      await chmod(staged, mode)
      await moveTo(target, path, staged)
    }
    // Links come last, so that no file is written through one.
    for (const { path, link } of links) {
      const staged = join(staging, 'link')
      await symlink(link, staged)
      await moveTo(target, path, staged)
    }
    for (const path of remove) await removeAt(target, path)
    if (isNew) await rename(target, root)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function moveTo(root: string, path: string, staged: string): Promise<void> {
  await checkParents(root, path, async (parent) => {
    await mkdir(parent)
    return true
  })
  await rename(staged, join(root, path)).catch((cause) => {
    throw failed(`${clean(path)} cannot be written`, { cause })
  })
}

/** Deletes a file, and the directories that are empty then. */
async function removeAt(root: string, path: string): Promise<void> {
  if (!(await checkParents(root, path, async () => false))) return
  await rm(join(root, path), { force: true })
  for (const parent of parentsOf(path)) {
    const isKept = await rmdir(join(root, parent)).then(
      () => false,
      (error) => {
        if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error
        return true
      },
    )
    if (isKept) return
  }
}

/**
 * Throws a `CliFailure` if a directory of a path is a link or a file. Calls `missing` for one that
 * does not exist; returns false at once if that returns false.
 */
async function checkParents(
  root: string,
  path: string,
  missing: (parent: string) => Promise<boolean>,
): Promise<boolean> {
  for (const parent of [...parentsOf(path)].reverse()) {
    const stats = await statsAt(join(root, parent))
    if (!stats) {
      if (!(await missing(join(root, parent)))) return false
    } else if (!stats.isDirectory()) throw failed(`${clean(parent)} is no directory here`)
  }
  return true
}
