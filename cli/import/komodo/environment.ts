/** The variables of a stack of Komodo, as its form of texts has them. */
export interface ReadEnvironment {
  variables: readonly (readonly [name: string, value: string])[]
  /** The first line that is no variable, counted from 1; null if there is none. */
  badLine: number | null
}

/**
 * Reads `environment` of a stack: lines of `NAME = value` or `- NAME: value`. Comments begin with
 * `#` or `//`, and texts may be in quotes.
 */
export function readEnvironment(text: string): ReadEnvironment {
  const variables: [string, string][] = []
  let badLine: number | null = null
  for (const [index, given] of text.split('\n').entries()) {
    const line = given.trim()
    if (line === '' || line.startsWith('#') || line.startsWith('//')) continue
    const variable = variableIn(line)
    if (variable) variables.push(variable)
    else badLine ??= index + 1
  }
  return { variables, badLine }
}

function variableIn(line: string): [string, string] | undefined {
  const [uncommented = ''] = line.split(' #')
  const plain = unquoted(uncommented.trim().replace(/^-+/, '').trim())
  const at = plain.search(/[=:]/)
  const name = plain.slice(0, Math.max(at, 0)).trim()
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) return undefined
  return [name, unquoted(plain.slice(at + 1).trim()).trim()]
}

const unquoted = (text: string) => (/^["']/.test(text) ? text.slice(1).replace(/["']$/, '') : text)

/** A text in which `[[NAME]]` is replaced. */
export interface Replaced {
  text: string
  /** The variables without a known value. They stay in the text. */
  unknown: readonly string[]
}

/**
 * Replaces the variables of Komodo, such as `[[ZONE]]`.
 *
 * @param values null: the value is not shown
 */
export function replaceVariables(
  text: string,
  values: ReadonlyMap<string, string | null>,
): Replaced {
  const unknown = new Set<string>()
  const replaced = text.replace(variable, (whole, name: string) => {
    const value = values.get(name) ?? null
    if (value === null) unknown.add(name)
    return value ?? whole
  })
  return { text: replaced, unknown: [...unknown] }
}

/** Returns whether a text has a variable of Komodo. */
export const hasVariable = (text: string): boolean => text.search(variable) >= 0

const variable = /\[\[([A-Za-z_][\w.-]*)\]\]/g
