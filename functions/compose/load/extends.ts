import { ownEntry } from '../lookup.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { attempt, raise, semantic } from '../yaml/problem.ts'
import { applyTags } from '../yaml/tags.ts'
import type { Tree, TreeMap } from '../yaml/tree.ts'
import { copyTree, isMap, mapAt, mapOf } from '../yaml/tree.ts'
import type { TagMark } from '../yaml/yaml-construct.ts'
import { absolutePaths } from './absolute-paths.ts'
import { canonical } from './canonical.ts'
import type { LoadContext } from './load-file.ts'
import { documentsOf } from './load-file.ts'
import { mergeServices, mergeTrees } from './merge.ts'
import { requireComposeText } from './secret-texts.ts'
import { isRemote, shownPath } from './stack-files.ts'

/** The `services` mapping of a file, in which `extends` looks up services. */
interface Source {
  /** An absolute path on the host. */
  file: string
  /** The directory that its relative paths start from. */
  directory: string
  services: TreeMap
  tags: readonly TagMark[]
}

/**
 * Resolves `extends` in the services of a file: merges each service over its base service, which is
 * in this file or another one of the stack. Relative paths in another file start from that file's
 * directory.
 *
 * @throws Problem for a cycle or a missing service
 */
export function applyExtends(
  tree: TreeMap,
  file: string,
  tags: readonly TagMark[],
  context: LoadContext,
): TreeMap {
  if (!('services' in tree)) return tree
  if (!isMap(tree.services)) throw semantic(['services'], 'must be a mapping')
  const directory = context.workingDirectory
  const source: Source = { file, directory, services: tree.services, tags }
  const resolved = Object.keys(tree.services).map((name) => {
    const resolve = () => resolveService(name, source, context, [])
    return [name, attempt(resolve, context.report, null)] as const
  })
  context.stopOnProblems()
  return mapOf([...Object.entries(tree), ['services', mapOf(resolved)]])
}

function resolveService(
  name: string,
  source: Source,
  context: LoadContext,
  chain: readonly string[],
): Tree {
  const path = ['services', name]
  const service = ownEntry(source.services, name)
  if (service === undefined || service === null) return null
  if (!isMap(service)) throw semantic(path, 'must be a mapping')
  if (service.extends === undefined || service.extends === null) return service
  const step = `${source.file}#${name}`
  if (chain.includes(step)) {
    const names = [...chain, step].map((link) => link.slice(link.lastIndexOf('#') + 1))
    throw semantic([...path, 'extends'], `circular reference: ${names.join(' -> ')}`)
  }
  const extension = extended(name, service.extends, source, context)
  if (!extension) return withoutExtends(service)
  const { base, inFile } = extension
  const resolved = resolveService(base, inFile, context, [...chain, step])
  if (resolved !== null && !isMap(resolved)) throw semantic(path, 'must be a mapping')
  const below = resolved === null ? mapOf<Tree>([]) : (copyTree(resolved) as TreeMap)
  const moved = inFile === source ? below : movePaths(below, inFile.file, context)
  applyTags(mapOf<Tree>([['services', mapOf<Tree>([[name, moved]])]]), source.tags)
  return withoutExtends(mergeServices(moved, service, name))
}

function withoutExtends({ extends: _, ...service }: TreeMap): TreeMap {
  return mapOf(Object.entries(service))
}

/**
 * Returns the name of the base service and the file that defines it, or undefined if the stack does
 * not have the file.
 */
function extended(name: string, value: Tree, source: Source, context: LoadContext) {
  const path = ['services', name, 'extends']
  const base = isMap(value) ? value.service : value
  if (typeof base !== 'string') throw semantic(path, 'needs the name of a service')
  const file = isMap(value) ? value.file : undefined
  if (isMap(value) && file !== undefined && file !== null && typeof file !== 'string')
    throw semantic([...path, 'file'], 'must be a string')
  const inFile =
    typeof file === 'string' ? readSource(file, source, context, [...path, 'file']) : source
  if (!inFile) return undefined
  if (!Object.hasOwn(inFile.services, base)) {
    const place = shownPath(context.files, inFile.file)
    throw semantic(path, `cannot extend service "${base}" in ${place}: there is no such service`)
  }
  return { base, inFile }
}

function readSource(
  file: string,
  source: Source,
  context: LoadContext,
  path: string[],
): Source | undefined {
  if (isRemote(file))
    throw semantic(path, 'a remote file cannot be extended: only files of the stack')
  const full = joinPath(source.directory, file)
  const text = requireComposeText(context, full, path)
  if (text === undefined) return undefined
  let tree = mapOf<Tree>([])
  let tags: TagMark[] = []
  for (const document of documentsOf(text, full, context)) {
    tree = mergeTrees(tree, document.tree)
    tags = document.tags
  }
  return { file: full, directory: directoryOf(full), services: mapAt(tree, 'services'), tags }
}

/**
 * Converts a service of another file to long form and resolves its relative paths against that
 * file's directory.
 */
function movePaths(service: TreeMap, file: string, context: LoadContext): TreeMap {
  const tree = canonical(
    mapOf<Tree>([['services', mapOf<Tree>([['moved', service]])]]),
    raise,
    context.hidden,
  )
  const moved = absolutePaths(tree, {
    directory: directoryOf(file),
    home: context.home,
    hidden: context.hidden,
  })
  return mapAt(mapAt(moved, 'services'), 'moved')
}
