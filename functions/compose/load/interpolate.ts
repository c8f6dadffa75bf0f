import { checkLimit } from '../measure/check-limits.ts'
import { limits } from '../measure/limits.ts'
import { Problem, type Report, raise } from '../yaml/problem.ts'
import type { Path, Patterns, Tree } from '../yaml/tree.ts'
import { emptyMap, isMap } from '../yaml/tree.ts'
import { type Cast, casts } from './cast.ts'
import type { Placeholders } from './placeholders.ts'
import type { Lookup } from './template.ts'
import { namesIn, replaceExpressions, substitute, TemplateError } from './template.ts'

/** The source of the values of expressions, and the handling of those without a value. */
export interface Interpolation {
  lookup: Lookup
  /** Called for variables that are not set, and for outdated spellings. */
  warn(message: string, path: Path): void
  /** Receives strings that cannot be substituted. If it keeps them, they become null. */
  report?: Report
  /** Takes the place of values that the caller may not see. */
  hidden?: Placeholders | undefined
}

/**
 * Substitutes variables in every string of a file except keys, and casts strings to numbers and
 * booleans where the model has them. Strings with a hidden value stay strings.
 *
 * @throws Problem of the kind `interpolation`
 */
export function interpolate(value: Tree, given: Interpolation): Tree {
  const trail: (string | number)[] = []
  let characters = 0
  const put = (text: string, cast: Cast | undefined) => {
    const value = interpolateText(text, cast, trail, given)
    characters += typeof value === 'string' ? value.length : 0
    if (characters > limits.characters) checkLimit('characters', characters, [...trail])
    return value
  }
  return walk(value, casts, trail, put)
}

type Patterned = Patterns<Cast> | undefined
type Put = (text: string, cast: Cast | undefined) => Tree

function walk(value: Tree, patterns: Patterned, trail: (string | number)[], put: Put): Tree {
  if (typeof value === 'string') return put(value, patterns?.rule)
  if (Array.isArray(value)) {
    const below = patterns?.at(0)
    return value.map((item, index) => {
      trail.push(index)
      const changed = walk(item, below, trail, put)
      trail.pop()
      return changed
    })
  }
  if (!isMap(value)) return value
  const copy = emptyMap()
  for (const [key, child] of Object.entries(value)) {
    trail.push(key)
    copy[key] = walk(child, patterns?.at(key), trail, put)
    trail.pop()
  }
  return copy
}

function interpolateText(
  text: string,
  cast: Cast | undefined,
  trail: Path,
  { lookup, warn, report = raise, hidden }: Interpolation,
): Tree {
  if (!cast && !text.includes('$')) return text
  try {
    const substituted = hidden?.hidesAll
      ? replaceExpressions(text, (expression) =>
          hidden.putUse(expression, namesIn(expression).map(lookup)),
        )
      : substitute(text, lookup, (name) =>
          warn(`The "${name}" variable is not set. Defaulting to a blank string.`, [...trail]),
        )
    if (!cast || hidden?.isIn(substituted)) return substituted
    return cast(substituted, (message) => warn(message, [...trail]))
  } catch (error) {
    if (error instanceof TemplateError || error instanceof TypeError) {
      report(new Problem('interpolation', detailOf(error), { path: [...trail] }))
      return null
    }
    throw error
  }
}

// The message does not include the value because it may be a secret.
function detailOf(error: TemplateError | TypeError): string {
  if (error instanceof TypeError) return error.message
  if (error.reason.failure !== 'format') return error.message
  return 'invalid interpolation format. You may need to escape any $ with another $'
}
