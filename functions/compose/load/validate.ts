import { Problem, type Report, raise } from '../yaml/problem.ts'
import type { Tree } from '../yaml/tree.ts'
import type { Placeholders } from './placeholders.ts'
import { depthOf, detailOf, pathOf, placeOf } from './schema-errors.ts'
import { schemaProblems } from './schema-problems.ts'
import { validatorOf } from './schema-validators.ts'

/**
 * Validates a merged tree against the schema of compose files. Values that depend on a hidden one
 * may be anything.
 *
 * @throws Problem of the kind `schema` with the path
 */
export function validate(tree: Tree, report: Report = raise, hidden?: Placeholders): void {
  if (report === raise && !hidden) validateFirst(tree)
  else for (const problem of schemaProblems(tree, hidden)) report(problem)
}

/** Stops at the first error, which takes less time. */
function validateFirst(tree: Tree): void {
  const validator = validatorOf('first')
  if (validator(tree)) return
  const errors = (validator.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf')
  // The deepest error belongs to the alternative that was most likely meant.
  const deepest = Math.max(...errors.map(depthOf))
  const meant = errors.filter((error) => depthOf(error) === deepest)
  const first = meant.find(({ keyword }) => keyword !== 'type') ?? meant[0]
  if (!first) throw new Problem('schema', 'is not a compose file')
  const path = pathOf(first.instancePath, tree)
  throw new Problem('schema', detailOf(first, meant), { path: placeOf(first, path) })
}
