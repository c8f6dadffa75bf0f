import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasCode } from '../../../functions/core/errors.ts'

/**
 * Returns whether the error of a call with a path means that the path leads to nothing, or to
 * nothing that this process may see.
 */
export const isUnreachable = (error: unknown): boolean =>
  hasCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')

/**
 * Returns the paths of a directory's entries relative to the data directory, or none if it cannot
 * be read. `directory` is empty for the data directory itself.
 */
export function pathsIn(dataDirectory: string, directory: string): string[] {
  try {
    const names = readdirSync(join(dataDirectory, directory))
    return names.map((name) => (directory ? `${directory}/${name}` : name))
  } catch (error) {
    if (!isUnreachable(error)) throw error
    return []
  }
}
