import { joinPath } from '../paths.ts'
import { Problem } from '../yaml/problem.ts'
import { applyTags } from '../yaml/tags.ts'
import type { TreeMap } from '../yaml/tree.ts'
import { emptyMap } from '../yaml/tree.ts'
import { absolutePaths } from './absolute-paths.ts'
import { canonical } from './canonical.ts'
import { checkValues } from './check-values.ts'
import { setDefaults } from './defaults.ts'
import { applyExtends } from './extends.ts'
import { applyInclude } from './include.ts'
import type { LoadContext } from './load-file.ts'
import { documentsOf } from './load-file.ts'
import { mergeTrees } from './merge.ts'
import type { ModelSource } from './model-source.ts'
import { resolveEnvironment } from './resolve-environment.ts'
import { getText } from './stack-files.ts'
import { enforceUnicity } from './unicity.ts'
import { validate } from './validate.ts'

/**
 * Reads compose files and merges them into one tree in long form, with defaults, absolute paths and
 * resolved environments. The order is that of the Compose tools: each file is interpolated before
 * it is merged, and the merged tree is validated after each file.
 *
 * @throws Problem
 */
export function loadModel(source: ModelSource, context: LoadContext): TreeMap {
  let tree = emptyMap()
  for (const file of source.composeFiles) tree = addFile(tree, file, source.including, context)
  const complete = setDefaults(tree)
  const { report, hidden, home } = context
  if (!hidden?.hidesAll) checkValues(complete, report)
  const placed = context.stages.resolvePaths
    ? absolutePaths(complete, { directory: context.workingDirectory, home, hidden }, report)
    : complete
  context.stopOnProblems()
  return resolveEnvironment(placed, hidden?.hidesAll ? new Map() : context.variables)
}

function addFile(
  base: TreeMap,
  file: string,
  including: readonly string[],
  context: LoadContext,
): TreeMap {
  const full = joinPath(context.workingDirectory, file)
  let tree = base
  for (const document of documentsOf(getText(context.files, full, []), full, context)) {
    applyTags(tree, document.tags)
    const { report, hidden } = context
    const extended = applyExtends(document.tree, full, document.tags, context)
    const chain = [...including, full]
    const included = applyInclude(extended, document.tags, chain, context, loadModel)
    const merged = enforceUnicity(mergeTrees(tree, included), report)
    context.stopOnProblems()
    validate(merged, report, hidden)
    context.stopOnProblems()
    if ('version' in merged) {
      const obsolete = 'the attribute `version` is obsolete, it is ignored: please remove it'
      context.warn(obsolete, ['version'])
      delete merged.version
    }
    const long = canonical(merged, report, hidden)
    context.stopOnProblems()
    tree = enforceUnicity(long, report)
    context.stopOnProblems()
  }
  return tree
}

/**
 * Checks that the files are not all empty. `file` is the path for the error message.
 *
 * @throws Problem if the tree is empty
 */
export function requireContent(tree: TreeMap, file: string): void {
  if (Object.keys(tree).length > 0) return
  throw new Problem('semantic', 'empty compose file', { position: { file } })
}
