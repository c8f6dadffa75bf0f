/** One authorisation check, and what the file is without it. */
export interface Mutation {
  name: string
  file: string
  /** Stands in the file exactly once. */
  text: string
  without: string
  /** Where the tests are that must turn red. */
  tests: string[]
  /** Of these, those whose name holds this. */
  only?: string
}

/** A check by its name, with what stands in its place when it is removed. */
export function one(
  name: string,
  file: string,
  text: string,
  without: string,
  tests: string[],
  only?: string,
): Mutation {
  return { name, file, text, without, tests, only }
}

/** Returns whether the file and name of a check contain every word. Without words, every check is picked. */
export function isPicked({ file, name }: Pick<Mutation, 'file' | 'name'>, words: string[]) {
  return words.every((word) => `${file} ${name}`.includes(word))
}
