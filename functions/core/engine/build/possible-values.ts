import { argumentPairs, expandWord } from './dockerfile-words.ts'
import type { PossibleLine } from './possible-lines.ts'

/** Name of a build argument → every value that it may have in a builder; undefined for none. */
export type PossibleValues = ReadonlyMap<string, ReadonlySet<string | undefined>>

/** Values that one word may stand for at most. */
const most = 64

/**
 * Returns the values that the arguments of a Dockerfile may have. Which `ARG` counts depends on the
 * builder's reading, so all do, and an argument may have no value unless the first lines give it one.
 */
export function possibleValues(
  text: string,
  lines: readonly PossibleLine[],
  given: Readonly<Record<string, string | null>>,
): PossibleValues | undefined {
  const certain = certainArguments(text)
  const values = new Map<string, Set<string | undefined>>()
  const add = (name: string, value: string) => {
    const known = values.get(name) ?? new Set(certain.has(name) ? [] : [undefined])
    values.set(name, known.add(value))
  }
  for (const [name, value] of Object.entries(given)) if (value !== null) add(name, value)
  const pairs = lines
    .filter(({ word }) => word === 'ARG')
    .flatMap(({ rest }) => argumentPairs(rest))
  for (const [name, fallback] of pairs) {
    if (fallback === undefined) continue
    const expanded = expansions(fallback, values)
    if (!expanded) return undefined
    for (const value of expanded) add(name, value)
  }
  return values
}

/** Names that have a default before everything else, in the plainest form, which all builders read alike. */
function certainArguments(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const line of text.split(/\r?\n/)) {
    if (/^(#.*)?$/.test(line)) continue
    const [, name] = /^ARG ([A-Za-z_]\w*)=[\w./:@-]+$/.exec(line) ?? []
    if (name === undefined) break
    names.add(name)
  }
  return names
}

const variable = /\$\{?([A-Za-z_]\w*)/g

/** Returns all that a word may stand for, or undefined where that cannot be told. */
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
