import { Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap, mapOf } from '../yaml/tree.ts'
import { casts } from './cast.ts'
import type { Lookup } from './template.ts'
import { substitute, TemplateError } from './template.ts'

/**
 * Puts the values of variables into every string of a file, keys excepted, and turns strings into numbers and booleans
 * where the model has such. `warn` hears of variables that are not set. Throws a `Problem` of the kind `interpolation`.
 */
export function interpolate(
  value: Tree,
  lookup: Lookup,
  warn: (message: string) => void,
  path: Path = [],
): Tree {
  if (typeof value === 'string') return interpolateText(value, lookup, warn, path)
  if (Array.isArray(value)) {
    return value.map((item, index) => interpolate(item, lookup, warn, [...path, index]))
  }
  if (!isMap(value)) return value
  return mapOf(
    Object.entries(value).map(
      ([key, child]) => [key, interpolate(child, lookup, warn, [...path, key])] as const,
    ),
  )
}

function interpolateText(
  text: string,
  lookup: Lookup,
  warn: (message: string) => void,
  path: Path,
): Tree {
  const cast = casts(path)
  if (!cast && !text.includes('$')) return text
  try {
    const substituted = substitute(text, lookup, (name) =>
      warn(`The "${name}" variable is not set. Defaulting to a blank string.`),
    )
    return cast ? cast(substituted, warn) : substituted
  } catch (error) {
    if (error instanceof TemplateError || error instanceof TypeError) {
      throw new Problem('interpolation', detailOf(error), { path })
    }
    throw error
  }
}

// The value itself is left out: it may hold a secret.
function detailOf(error: TemplateError | TypeError): string {
  if (error instanceof TypeError) return error.message
  if (error.reason.failure === 'required') return error.message
  return 'invalid interpolation format. You may need to escape any $ with another $'
}
