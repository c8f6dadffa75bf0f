import type { ErrorObject } from 'ajv'
import { Problem } from '../yaml/problem.ts'
import type { Tree } from '../yaml/tree.ts'
import { isMap } from '../yaml/tree.ts'
import type { Placeholders } from './placeholders.ts'
import { detailOf, pathOf, placeOf } from './schema-errors.ts'
import { validatorOf } from './schema-validators.ts'

/** More errors than a person reads. */
const errorsMax = 1000

/**
 * Returns all problems of a merged tree, one for each place: of the alternatives of a value, the
 * one that was most likely meant. Values that depend on a hidden one have none.
 */
export function schemaProblems(tree: Tree, hidden?: Placeholders): Problem[] {
  const validator = validatorOf('all')
  if (validator(tree)) return []
  const errors = validator.errors ?? []
  validator.errors = null
  const places = new Map<string, ErrorObject[]>()
  for (const error of meantOf(errors)) {
    const found = places.get(error.instancePath)
    if (found) found.push(error)
    else places.set(error.instancePath, [error])
  }
  const problems: Problem[] = []
  for (const found of places.values()) {
    if (problems.length >= errorsMax) break
    problems.push(...problemsAt(found.slice(0, errorsMax), tree, hidden))
  }
  return problems.slice(0, errorsMax)
}

/**
 * Returns the errors of the alternatives that were meant. The alternatives of a value differ by its
 * type, so an error that is not about the type, or lies below the value, is of the one that was
 * meant.
 */
function meantOf(errors: ErrorObject[]): ErrorObject[] {
  const real = errors.filter(({ keyword }) => keyword !== 'anyOf')
  const meant = new Set(
    real.filter(({ keyword }) => keyword !== 'type').map(({ instancePath }) => instancePath),
  )
  const above = new Set<string>()
  for (const { instancePath } of real) {
    for (
      let at = instancePath.lastIndexOf('/');
      at > 0;
      at = instancePath.lastIndexOf('/', at - 1)
    ) {
      const parent = instancePath.slice(0, at)
      if (above.has(parent)) break
      above.add(parent)
    }
  }
  return real.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'type' || !(meant.has(instancePath) || above.has(instancePath)),
  )
}

function problemsAt(
  errors: ErrorObject[],
  tree: Tree,
  hidden: Placeholders | undefined,
): Problem[] {
  const [first] = errors
  if (!first) return []
  const path = pathOf(first.instancePath, tree)
  const value = path.reduce<Tree>(
    (at, part) => (Array.isArray(at) ? at[Number(part)] : isMap(at) ? at[part] : null) ?? null,
    tree,
  )
  if (typeof value === 'string' && hidden?.isIn(value)) return []
  const relevant = first.keyword === 'type' ? [first] : errors
  const problems = relevant.map((error) => {
    const alternatives = error.keyword === 'type' ? errors : [error]
    return new Problem('schema', detailOf(error, alternatives), { path: placeOf(error, path) })
  })
  return [...new Map(problems.map((problem) => [problem.message, problem])).values()]
}
