import type { Stats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { failed, hasCode } from '../failure.ts'
import { clean } from '../output/text.ts'

/**
 * Returns what is at a path, without following a link there; undefined if nothing is. Throws a
 * `CliFailure` that names `unreadable` for any other error.
 */
export async function statsAt(path: string, unreadable = path): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw failed(`${clean(unreadable)} cannot be read`, { cause: error })
  }
}
