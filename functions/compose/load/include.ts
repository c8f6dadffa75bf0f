import { directoryOf, joinPath } from '../paths.ts'
import { attempt, semantic } from '../yaml/problem.ts'
import { applyTags } from '../yaml/tags.ts'
import type { Path, Tree, TreeMap } from '../yaml/tree.ts'
import { isMap, mapOf } from '../yaml/tree.ts'
import type { TagMark } from '../yaml/yaml-construct.ts'
import type { LoadContext } from './load-file.ts'
import { mergeTrees } from './merge.ts'
import type { ModelSource } from './model-source.ts'
import { requireComposeText, variablesOf } from './secret-texts.ts'
import { findText, isRemote, requireText, shownPath } from './stack-files.ts'
import { enforceUnicity } from './unicity.ts'

const imported = ['services', 'volumes', 'networks', 'secrets', 'configs', 'models']
const includesMax = 50

/**
 * Loads the entries of `include`, each with its own directory and variables, and merges the
 * including file over them. `chain` has the files that led here, ending with the including file.
 *
 * @throws Problem for a cycle
 */
export function applyInclude(
  tree: TreeMap,
  tags: readonly TagMark[],
  chain: readonly string[],
  context: LoadContext,
  loadModel: (source: ModelSource, context: LoadContext) => TreeMap,
): TreeMap {
  if (!('include' in tree)) return tree
  const { include, ...own } = tree
  if (include === null) return own as TreeMap
  if (!Array.isArray(include)) throw semantic(['include'], 'must be a list')
  if (chain.length > includesMax) throw semantic(['include'], 'files include each other too deeply')
  let base = mapOf<Tree>([])
  for (const [index, entry] of include.entries()) {
    const path: Path = ['include', index]
    const load = () => loadEntry(entry, path, chain, context, loadModel)
    const model = attempt(load, context.report, mapOf<Tree>([]))
    const resources = Object.entries(model).filter(([key]) => imported.includes(key))
    base = enforceUnicity(mergeTrees(base, mapOf(resources)))
  }
  context.stopOnProblems()
  applyTags(base, tags)
  return mergeTrees(base, own as TreeMap)
}

function loadEntry(
  entry: Tree,
  path: Path,
  chain: readonly string[],
  context: LoadContext,
  loadModel: (source: ModelSource, context: LoadContext) => TreeMap,
): TreeMap {
  const long = isMap(entry) ? entry : mapOf<Tree>([['path', entry]])
  const files = texts(long.path, [...path, 'path']).map((file) => {
    if (isRemote(file))
      throw semantic(path, 'a remote file cannot be included: only files of the stack')
    const full = joinPath(context.workingDirectory, file)
    requireComposeText(context, full, path)
    return full
  })
  const first = files[0]
  if (first === undefined) throw semantic(path, 'needs a path')
  const repeated = files.find((file) => chain.includes(file))
  if (repeated !== undefined) {
    const links = [...chain.slice(chain.indexOf(repeated)), repeated]
    const shown = links.map((file) => shownPath(context.files, file))
    throw semantic(path, `include cycle detected: ${shown.join(' -> ')}`)
  }
  const workingDirectory =
    typeof long.project_directory === 'string'
      ? joinPath(context.workingDirectory, long.project_directory)
      : directoryOf(first)
  const variables = readVariables(
    long.env_file ?? null,
    workingDirectory,
    [...path, 'env_file'],
    context,
  )
  const found = files.filter((file) => findText(context.files, file, path) !== undefined)
  return loadModel(
    { composeFiles: found, including: chain },
    { ...context, workingDirectory, variables, stages: { ...context.stages, resolvePaths: true } },
  )
}

/**
 * Returns the variables of an include. The including file's variables take precedence over those of
 * the include's `env_file` or `.env`.
 */
function readVariables(
  envFile: Tree,
  directory: string,
  path: Path,
  context: LoadContext,
): ReadonlyMap<string, string> {
  const own = new Map<string, string>()
  const lookup = (name: string) => context.variables.get(name)
  const read = (file: string, text: string) => {
    const shown = shownPath(context.files, file)
    context.read.set(shown, [])
    for (const [key, value] of variablesOf({ text, file, shown }, context, {
      lookup,
      known: own,
    })) {
      own.set(key, value)
    }
  }
  const named = envFile === null ? [] : texts(envFile, path)
  for (const name of named) {
    if (name === '/dev/null') continue
    const file = joinPath(context.workingDirectory, name)
    const text = requireText(context.files, file, path)
    if (text !== undefined) read(file, text)
  }
  const standard = joinPath(directory, '.env')
  const text = envFile === null ? findText(context.files, standard, path) : undefined
  if (text !== undefined) read(standard, text)
  return new Map([...own, ...context.variables])
}

function texts(value: Tree | undefined, path: Path): string[] {
  const list = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
  return list.map((item) => {
    if (typeof item !== 'string') throw semantic(path, 'must be a string or a list of strings')
    return item
  })
}
