import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the paths of a directory's entries relative to the data directory, or none if it cannot
 * be read. `directory` is empty for the data directory itself.
 */
export function pathsIn(dataDirectory: string, directory: string): string[] {
  try {
    const names = readdirSync(join(dataDirectory, directory))
    return names.map((name) => (directory ? `${directory}/${name}` : name))
  } catch {
    return []
  }
}
