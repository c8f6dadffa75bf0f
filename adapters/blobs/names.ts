import { posix } from 'node:path'

/**
 * Returns the name of the partial file that an object is written to: hidden, in the directory of
 * the object.
 */
export function partialName(name: string, random: string): string {
  return posix.join(posix.dirname(name), `.${posix.basename(name)}.${random}.part`)
}

/** Returns the directories above these names, deepest first, without duplicates. */
export function parentsOf(names: readonly string[]): string[] {
  const parents = new Set<string>()
  for (const name of names) {
    for (let at = posix.dirname(name); at !== '.'; at = posix.dirname(at)) parents.add(at)
  }
  return [...parents].sort((one, other) => depth(other) - depth(one))
}

const depth = (path: string) => path.split('/').length

/** Compares by name in UTF-16 code units, so the order is the same for every target. */
export const byName = (one: { name: string }, other: { name: string }) =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0
