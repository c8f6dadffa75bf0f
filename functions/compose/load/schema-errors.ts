import type { ErrorObject } from 'ajv'
import { nearest } from '../nearest.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'

/** Options of both validators. `verbose` adds the schema to errors, for its names of attributes. */
export const schemaOptions = { strict: false, allowUnionTypes: true, verbose: true } as const

/**
 * Returns how deep in the tree an error is. An attribute that is not allowed counts half a level
 * deeper: it ranks after an error of its map, and before those of other attributes.
 */
export const depthOf = (error: ErrorObject): number =>
  error.instancePath.split('/').length + (error.keyword === 'additionalProperties' ? 0.5 : 0)

/** Returns the path of a JSON pointer in a tree. */
export function pathOf(pointer: string, tree: Tree): Path {
  let value: Tree = tree
  return pointer
    .split('/')
    .slice(1)
    .map((part) => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      const position = Array.isArray(value) ? Number(key) : key
      value = Array.isArray(value)
        ? (value[Number(key)] ?? null)
        : isMap(value)
          ? (value[key] ?? null)
          : null
      return position
    })
}

/** An attribute that is not allowed is reported at its own path. */
export const placeOf = (error: ErrorObject, path: Path): Path =>
  error.keyword === 'additionalProperties' ? [...path, error.params.additionalProperty] : path

/** Returns the message of an error. `alternatives` are the errors at the same place. */
export function detailOf(error: ErrorObject, alternatives: ErrorObject[]): string {
  if (error.keyword === 'additionalProperties') {
    const { additionalProperty: key } = error.params
    const meant = nearest(key, Object.keys(error.parentSchema?.properties ?? {}))
    const end = meant === undefined ? '' : `; did you mean ${meant}?`
    return `additional properties '${key}' not allowed${end}`
  }
  if (error.keyword === 'required') return `missing property '${error.params.missingProperty}'`
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword !== 'type') return error.message ?? 'is not allowed'
  const types = alternatives
    .filter(({ keyword }) => keyword === 'type')
    .flatMap(({ params }) => params.type)
  return `must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format([...new Set(types)].map(typeWord))}`
}

const typeWord = (type: string): string =>
  ({ object: 'a mapping', array: 'a list', integer: 'an integer', null: 'empty' })[type] ??
  `a ${type}`
