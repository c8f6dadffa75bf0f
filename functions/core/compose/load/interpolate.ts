import { checkLimit } from '../measure/check-limits.ts'
import { limits } from '../measure/limits.ts'
import { Problem } from '../yaml/problem.ts'
import type { Path, Patterns, Tree } from '../yaml/tree.ts'
import { emptyMap, isMap } from '../yaml/tree.ts'
import { type Cast, casts } from './cast.ts'
import type { Lookup } from './template.ts'
import { substitute, TemplateError } from './template.ts'

/**
 * Substitutes variables in every string of a file except keys, and casts strings to numbers and
 * booleans where the model has them. Calls `warn` for variables that are not set.
 *
 * @throws Problem of the kind `interpolation`
 */
export function interpolate(value: Tree, lookup: Lookup, warn: (message: string) => void): Tree {
  const trail: (string | number)[] = []
  let characters = 0
  const put = (text: string, cast: Cast | undefined) => {
    const value = interpolateText(text, cast, lookup, warn, trail)
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
  for (const key of Object.keys(value)) {
    trail.push(key)
    copy[key] = walk(value[key]!, patterns?.at(key), trail, put)
    trail.pop()
  }
  return copy
}

function interpolateText(
  text: string,
  cast: Cast | undefined,
  lookup: Lookup,
  warn: (message: string) => void,
  trail: Path,
): Tree {
  if (!cast && !text.includes('$')) return text
  try {
    const substituted = substitute(text, lookup, (name) =>
      warn(`The "${name}" variable is not set. Defaulting to a blank string.`),
    )
    return cast ? cast(substituted, warn) : substituted
  } catch (error) {
    if (error instanceof TemplateError || error instanceof TypeError) {
      throw new Problem('interpolation', detailOf(error), { path: [...trail] })
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
