import { posix } from 'node:path'

/** The name under which an object is written until it is whole. It begins with a dot, beside where the object will be. */
export function partialName(name: string, random: string): string {
  return posix.join(posix.dirname(name), `.${posix.basename(name)}.${random}.part`)
}

/** The directories above these names, deepest first, each once. */
export function parentsOf(names: readonly string[]): string[] {
  const parents = new Set<string>()
  for (const name of names) {
    for (let at = posix.dirname(name); at !== '.'; at = posix.dirname(at)) parents.add(at)
  }
  return [...parents].sort((one, other) => depth(other) - depth(one))
}

const depth = (path: string) => path.split('/').length

/** In order of name, by the units of their text, which is the same for every target. */
export const byName = (one: { name: string }, other: { name: string }) =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : 0
