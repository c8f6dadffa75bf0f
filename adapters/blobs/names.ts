import { posix } from 'node:path'
import { invalid } from '../../functions/core/errors.ts'

/**
 * Refuses what is no name of an object or a directory below a target's place: absolute, with `.` or `..`, with empty steps, with
 * backslashes or control characters, or longer than file systems take.
 */
export function checkName(name: string): void {
  const steps = name.split('/')
  const good =
    name.length <= 900 &&
    steps.every((step) => step !== '' && step !== '.' && step !== '..') &&
    steps.every((step) => Buffer.byteLength(step) <= 220) &&
    !/[\\\u0000-\u001f\u007f]/.test(name)
  if (!good) throw invalid(`${JSON.stringify(name)} is not a name that an object can have`)
}

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
