/** Returns the value of a variable, or undefined if it is not set. */
export type Lookup = (name: string) => string | undefined

/** The reasons for which a substitution fails. */
export type TemplateFailure =
  | { failure: 'format' }
  | { failure: 'required'; name: string; detail: string }
  | { failure: 'size' }

/** Thrown by `substitute`. */
export class TemplateError extends Error {
  readonly reason: TemplateFailure

  constructor(reason: TemplateFailure) {
    super(messageOf(reason))
    this.name = 'TemplateError'
    this.reason = reason
  }
}

function messageOf(reason: TemplateFailure): string {
  if (reason.failure === 'format') return 'invalid interpolation format'
  if (reason.failure === 'size') return 'expanding its variables makes it longer than 2 MiB'
  return `required variable ${reason.name} is missing a value${reason.detail && ': '}${reason.detail}`
}

/** Returns the names of variables in an expression, such as `${A:-$B}`. */
export const namesIn = (text: string): string[] =>
  Array.from(text.matchAll(/\$\{?([A-Za-z_][A-Za-z0-9_]*)/g), ([, name = '']) => name)

/** The maximum length of the expanded text, in characters. A file has at most 1 MiB. */
const resultMax = 2 * 1024 * 1024
const nameForm = /[A-Za-z_][A-Za-z0-9_]*/y
const depthMax = 100

/**
 * Substitutes variables in a text: `$V`, `${V}` and the operators `:-` `-` `:?` `?` `:+` `+`.
 * Arguments may contain variables and are evaluated only if they are used. `$$` is a literal
 * dollar. Unset variables become empty and are reported to `onUnset`. Source: the Compose
 * specification, "Interpolation".
 *
 * @throws TemplateError
 */
export function substitute(
  text: string,
  lookup: Lookup,
  onUnset: (name: string) => void = () => {},
  depth = 0,
): string {
  if (!text.includes('$')) return text
  if (depth > depthMax) throw new TemplateError({ failure: 'format' })
  let result = ''
  let at = 0
  while (at < text.length) {
    if (result.length > resultMax) throw new TemplateError({ failure: 'size' })
    const dollar = text.indexOf('$', at)
    if (dollar < 0) break
    result += text.slice(at, dollar)
    const next = text[dollar + 1]
    if (next === '$') {
      result += '$'
      at = dollar + 2
    } else if (next === '{') {
      const end = closingBrace(text, dollar + 1)
      result += braced(text.slice(dollar + 2, end), lookup, onUnset, depth)
      at = end + 1
    } else {
      const name = nameAt(text, dollar + 1)
      result += name === undefined ? '$' : variableValue(name, lookup, onUnset)
      at = dollar + 1 + (name?.length ?? 0)
    }
  }
  if (result.length > resultMax) throw new TemplateError({ failure: 'size' })
  return result + text.slice(at)
}

/**
 * Returns a text with each expression (`$V`, `${V:-default}`) replaced by the result of `change`.
 * `$$` becomes a literal dollar.
 *
 * @throws TemplateError for a brace that is not closed
 */
export function replaceExpressions(text: string, change: (expression: string) => string): string {
  let result = ''
  let at = 0
  for (let dollar = text.indexOf('$'); dollar >= 0; dollar = text.indexOf('$', at)) {
    result += text.slice(at, dollar)
    const next = text[dollar + 1]
    const length =
      next === '{'
        ? closingBrace(text, dollar + 1) - dollar
        : (nameAt(text, dollar + 1)?.length ?? 0)
    at = dollar + 1 + (next === '$' ? 1 : length)
    result += next === '$' || length === 0 ? '$' : change(text.slice(dollar, at))
  }
  return result + text.slice(at)
}

/** Evaluates the inside of `${…}`: `NAME`, `NAME:-default` and so on. */
function braced(
  inside: string,
  lookup: Lookup,
  onUnset: (name: string) => void,
  depth: number,
): string {
  const name = nameAt(inside, 0)
  if (name === undefined) throw new TemplateError({ failure: 'format' })
  const rest = inside.slice(name.length)
  if (rest === '') return variableValue(name, lookup, onUnset)
  const operator = /^:?[-?+]/.exec(rest)?.[0]
  if (!operator) throw new TemplateError({ failure: 'format' })
  const argument = () => substitute(rest.slice(operator.length), lookup, onUnset, depth + 1)
  const value = lookup(name)
  const present = operator.startsWith(':')
    ? value !== undefined && value !== ''
    : value !== undefined
  if (operator.endsWith('+')) return present ? argument() : ''
  if (present) return value ?? ''
  if (operator.endsWith('-')) return argument()
  throw new TemplateError({ failure: 'required', name, detail: argument() })
}

function variableValue(name: string, lookup: Lookup, onUnset: (name: string) => void): string {
  const value = lookup(name)
  if (value === undefined) onUnset(name)
  return value ?? ''
}

function nameAt(text: string, position: number): string | undefined {
  nameForm.lastIndex = position
  return nameForm.exec(text)?.[0]
}

/** Returns the index of the brace that closes the one at `open`. Nested braces must be balanced. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  throw new TemplateError({ failure: 'format' })
}
