/** The value of a variable, or nothing when it is not set. */
export type Lookup = (name: string) => string | undefined

/** How an interpolation can end badly. */
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

/** The longest expanded text; a file has 1 MiB at most. Characters. */
const resultMax = 2 * 1024 * 1024
const nameForm = /[A-Za-z_][A-Za-z0-9_]*/y
const depthMax = 100

/**
 * Puts the values of variables into a text: `$V`, `${V}` and the operators `:-` `-` `:?` `?` `:+` `+`, whose argument may
 * hold further variables and is evaluated only when it is used. `$$` is a dollar. An unset variable is empty, and
 * `onUnset` hears of it. Source: the Compose specification, "Interpolation". Throws a `TemplateError`.
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

/** What stands for `NAME`, `NAME:-default` and the like: the inside of `${…}`. */
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

/** The brace that closes the one at `open`; braces between them come in pairs. */
function closingBrace(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  throw new TemplateError({ failure: 'format' })
}
