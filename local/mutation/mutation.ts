/** A check of authorisation or policy, and the file without it. */
export interface Mutation {
  name: string
  file: string
  /** The check: text that occurs exactly once in the file. */
  text: string
  without: string
  /** Parts of the paths of its test files. One of their tests must fail without the check. */
  tests: string[]
  /** Limits the tests to those whose names contain this. */
  only?: string
}

/** Returns a check by its name, with the text that replaces it. */
export function mutation(
  name: string,
  file: string,
  text: string,
  without: string,
  tests: string[],
  only?: string,
): Mutation {
  return { name, file, text, without, tests, only }
}

/**
 * Returns whether the file and name of a check contain every word. Without words every check
 * matches.
 */
export function isPicked({ file, name }: Pick<Mutation, 'file' | 'name'>, words: string[]) {
  return words.every((word) => `${file} ${name}`.includes(word))
}
