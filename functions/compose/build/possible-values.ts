import { argumentPairs, expandWord } from './dockerfile-words.ts'
import type { PossibleInstructions } from './possible-instructions.ts'

/**
 * Name of a build argument → every value that it may have in a builder; undefined stands for no
 * value.
 */
export type PossibleValues = ReadonlyMap<string, ReadonlySet<string | undefined>>

/** Maximum number of values of one word. */
const most = 64

/**
 * Returns the values that the arguments of a Dockerfile may have, or the problem with the first one
 * whose values cannot be determined. Builders differ in which `ARG` they use, so all count, and an
 * argument may have no value unless the first lines set it.
 */
export function possibleValues(
  { instructions, certain }: PossibleInstructions,
  given: Readonly<Record<string, string | null>>,
): PossibleValues | string {
  const values = new Map<string, Set<string | undefined>>()
  const add = (name: string, value: string) => {
    const known = values.get(name) ?? new Set(certain.has(name) ? [] : [undefined])
    values.set(name, known.add(value))
  }
  for (const [name, value] of Object.entries(given)) if (value !== null) add(name, value)
  for (const { line, word, text } of instructions) {
    if (word !== 'ARG') continue
    // Builders differ in where such a word ends.
    if (/[\\`]["']|\ufeff/.test(text)) return undetermined(line, text)
    for (const [name, fallback] of argumentPairs(text)) {
      if (fallback === undefined) continue
      const expanded = expansions(fallback, values)
      if (!expanded) return undetermined(line, text)
      for (const value of expanded) add(name, value)
    }
  }
  return values
}

const undetermined = (line: number, text: string) =>
  `line ${line}: the value of \`ARG ${text.slice(0, 100)}\` cannot be determined`

const variable = /\$\{?([A-Za-z_]\w*)/g

/** Returns all values of a word, or undefined if there are too many or a form is ambiguous. */
export function expansions(word: string, values: PossibleValues): string[] | undefined {
  const names = [...new Set([...word.matchAll(variable)].map(([, name = '']) => name))]
  let choices: Map<string, string | null>[] = [new Map()]
  for (const name of names) {
    const possible = [...(values.get(name) ?? [undefined])]
    if (choices.length * possible.length > most) return undefined
    choices = choices.flatMap((choice) =>
      possible.map((value) => (value === undefined ? choice : new Map(choice).set(name, value))),
    )
  }
  const found = new Set<string>()
  for (const choice of choices) {
    const expanded = expandWord(word, choice)
    if (expanded === undefined) return undefined
    found.add(expanded)
  }
  return [...found]
}
