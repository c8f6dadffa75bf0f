import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { StackFile } from '../api/types.ts'
import { hasCode } from '../failure.ts'
import { adding } from './add-paths.ts'
import type { FolderFiles } from './folder-files.ts'
import { isInAny } from './path-rules.ts'
import { kindOf, visit } from './walk.ts'

/**
 * Adds the files that the stack has and the directory too, for example those that an earlier
 * `--include` sent. Returns the paths that the directory does not have.
 *
 * @param names the compose file, overlays and .env of the stack
 */
export async function addTracked(
  found: FolderFiles,
  stored: readonly StackFile[],
  names: ReadonlySet<string>,
): Promise<string[]> {
  const gone: string[] = []
  const leftOut = [...found.leftOut.keys()].map((path) => path.replace(/\/$/, ''))
  const origin = { why: 'sent earlier' }
  const { file, link, other } = adding(origin, {
    found,
    isIncluded: () => false,
    hiddenEnv: undefined,
  })
  for (const { path } of stored) {
    if (names.has(path) || found.entries.has(path) || isInAny(path, leftOut)) continue
    const stats = await statsOf(join(found.root, path))
    if (!stats) gone.push(path)
    else if (stats.isDirectory()) other(path, kindOf(stats))
    else await visit(found.root, path, { file, link, other })
  }
  found.leaveOutRefused()
  return gone
}

/** Returns undefined if there is nothing at a path. */
async function statsOf(path: string) {
  return lstat(path).catch((error) => {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    return undefined
  })
}
