import type { SourceFolder } from '../ports/source-reader.ts'

/** The names that Compose looks for, in its order. */
export const composeFileNames = [
  'compose.yaml',
  'compose.yml',
  'docker-compose.yml',
  'docker-compose.yaml',
]

/** Returns whether a path is that of a file with such a name. */
export const isComposeFile = (path: string): boolean => composeFileNames.includes(nameOf(path))

/**
 * Returns the folders that have a compose file, sorted by path.
 *
 * @param files paths of files, from the top of a source
 */
export function composeFolders(files: Iterable<string>): SourceFolder[] {
  const found = new Map<string, string>()
  for (const path of files) {
    if (!isComposeFile(path)) continue
    const name = nameOf(path)
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
    found.set(folder, firstOf(name, found.get(folder) ?? name))
  }
  return [...found]
    .map(([path, composeFile]) => ({ path, composeFile }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const firstOf = (one: string, other: string): string =>
  composeFileNames.indexOf(one) < composeFileNames.indexOf(other) ? one : other
