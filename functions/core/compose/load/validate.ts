import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Problem } from '../yaml/problem.ts'
import type { Path, Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import { composeSchema } from './schema/compose.ts'

let compiled: ValidateFunction | undefined

/**
 * Validates a merged tree against the schema of compose files.
 *
 * @throws Problem of the kind `schema` with the path
 */
export function validate(tree: Tree): void {
  // Compiling takes about 0.1 s, so it is done on first use.
  compiled ??= new Ajv2020({ strict: false, allErrors: false, allowUnionTypes: true }).compile(
    composeSchema,
  )
  if (compiled(tree)) return
  const errors = (compiled.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf')
  // The deepest error belongs to the alternative that was most likely meant.
  const deepest = Math.max(...errors.map(depthOf))
  const meant = errors.filter((error) => depthOf(error) === deepest)
  const first = meant.find(({ keyword }) => keyword !== 'type') ?? meant[0]
  if (!first) throw new Problem('schema', 'is not a compose file')
  const path = pathOf(first.instancePath, tree)
  throw new Problem('schema', detailOf(first, meant), { path: placeOf(first, path) })
}

const depthOf = (error: ErrorObject): number =>
  error.instancePath.split('/').length + (error.keyword === 'additionalProperties' ? 0.5 : 0)

function pathOf(pointer: string, tree: Tree): Path {
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
const placeOf = (error: ErrorObject, path: Path): Path =>
  error.keyword === 'additionalProperties' ? [...path, error.params.additionalProperty] : path

function detailOf(error: ErrorObject, alternatives: ErrorObject[]): string {
  if (error.keyword === 'additionalProperties') {
    return `additional properties '${error.params.additionalProperty}' not allowed`
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
