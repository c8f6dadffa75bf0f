import type { PlacedPath } from '../../compose/load/placed-paths.ts'
import { relativeTo } from '../../compose/paths.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import type { Project } from '../../compose/project.ts'
import { imageOf } from '../../compose/used-resources.ts'
import { problemLines } from '../../compose/yaml/problem.ts'
import { unprocessable } from '../errors.ts'
import type { Engine } from '../ports/engine.ts'
import type { HostPathKind } from '../records/host-engine.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import type { HostChanges } from './host-changes.ts'
import type { DeploymentRequest } from './request.ts'

/** A bind of a path that does not exist. */
export interface CreatedPath {
  /** As in messages: `./data`, or an absolute path outside of the stack's directory. */
  path: string
  /** The warning, which begins with the place in the file. */
  warning: string
}

/** Facts about a deploy that was planned. */
export interface PlannedPaths {
  project: Project
  paths: readonly PlacedPath[]
  plan: Plan
  prefetch: Plan
  /** The stack's own files. */
  tree: StackTree
  changes: HostChanges
}

/**
 * The maximum number of paths to look up outside of the stack's directory: each may need a helper
 * container.
 */
const outsideMax = 50

/**
 * Checks that the files and directories that the steps of a deploy need exist: in the files of the
 * stack, which the deploy writes, or on the host. Returns the binds whose missing paths the Engine
 * creates. Queries the host only if something is to be built, created or started.
 *
 * @throws 422 with a line for each path that is missing, or is not what it must be
 */
export async function checkPaths(
  request: DeploymentRequest,
  planned: PlannedPaths,
  engine: Engine,
): Promise<CreatedPath[]> {
  const { directory } = request.stack
  const needed = neededPaths(planned).filter(
    ({ path }) => isInside(directory, path) || (request.looksOutside ?? request.reach === 'host'),
  )
  const kinds = await kindsOf(needed, directory, planned, engine)
  const problems = new Set<string>()
  const created = new Map<string, CreatedPath>()
  for (const one of needed) {
    const kind = kinds.get(one.path)
    if (kind === 'unknown') continue
    const path = shownPath(directory, one.path)
    if (kind === undefined && one.isCreated) {
      const warning = `${one.place}${path} ${beginning(request, path, absence(directory, one))}`
      created.set(one.path, { path, warning })
    } else {
      const problem = problemOf(one, kind, directory)
      if (problem !== undefined) problems.add(`${one.place}${path} ${problem}`)
    }
  }
  if (problems.size > 0) throw unprocessable(problemLines([...problems]))
  return [...created.values()]
}

/** Returns what a mount of a path begins with that the Engine creates. */
const beginning = ({ stack }: DeploymentRequest, path: string, absence: string) =>
  stack.unsentData?.includes(path)
    ? 'starts empty: its data was not sent with the files of the stack, and is not on the host'
    : `${absence}: the Engine creates an empty directory`

/** Returns the paths that the steps of a plan use, without those of services that it leaves out. */
function neededPaths(planned: PlannedPaths): PlacedPath[] {
  const { project, paths, plan, prefetch, changes } = planned
  const steps = [...prefetch.steps, ...plan.steps]
  const built = new Set(
    steps.flatMap(({ kind, action, name }) => (kind === 'image' && action === 'build' ? name : [])),
  )
  const run = new Set(
    steps.flatMap(({ kind, action, service }) =>
      kind === 'container' && /^(create|recreate|start)$/.test(action) ? (service ?? []) : [],
    ),
  )
  // Which containers a pull or build replaces is only known after it.
  const isOpen = prefetch.steps.length > 0
  const removed = new Set(changes.remove.map((path) => `${project.working_dir}/${path}`))
  return paths.filter(({ use, service, path }) => {
    if (!Object.hasOwn(project.services, service)) return false
    return use === 'build'
      ? built.has(imageOf(project, service))
      : isOpen || run.has(service) || removed.has(path)
  })
}

/** Returns what the paths are, or will be once the files are written. */
async function kindsOf(
  needed: readonly PlacedPath[],
  directory: string,
  { tree, changes }: PlannedPaths,
  engine: Engine,
): Promise<Map<string, HostPathKind | 'unknown'>> {
  const kinds = treeKinds(directory, tree)
  const links = Object.keys(tree).filter((path) => kinds.get(`${directory}/${path}`) === 'other')
  for (const { path } of needed) {
    if (links.some((link) => path.startsWith(`${directory}/${link}/`))) kinds.set(path, 'other')
  }
  const unknownPaths = [...new Set(needed.map(({ path }) => path))].filter(
    (path) => !kinds.has(path),
  )
  const inside = unknownPaths.filter((path) => isInside(directory, path))
  const outside = unknownPaths.filter((path) => !isInside(directory, path))
  const lookups = [...inside, ...outside.slice(0, outsideMax)]
  const found = lookups.length > 0 ? await engine.findPaths(directory, lookups) : new Map()
  const removed = new Set(changes.remove.map((path) => `${directory}/${path}`))
  for (const [path, kind] of found) if (!removed.has(path)) kinds.set(path, kind)
  return new Map<string, HostPathKind | 'unknown'>([
    ...kinds,
    ...outside.slice(outsideMax).map((path) => [path, 'unknown'] as const),
  ])
}

/** Returns the files of the stack and the directories above them. A link may lead to either. */
function treeKinds(directory: string, tree: StackTree): Map<string, HostPathKind> {
  const kinds = new Map<string, HostPathKind>([[directory, 'directory']])
  for (const [path, entry] of Object.entries(tree)) {
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      kinds.set(`${directory}/${path.slice(0, at)}`, 'directory')
    }
    kinds.set(`${directory}/${path}`, isLink(entry) ? 'other' : 'file')
  }
  return kinds
}

/** Returns what is wrong with a path, or undefined. */
function problemOf(
  one: PlacedPath,
  kind: HostPathKind | undefined,
  directory: string,
): string | undefined {
  if (kind === undefined) return absence(directory, one)
  if (one.needs === 'file' && kind === 'directory') return 'is a directory, but must be a file'
  if (one.needs === 'directory' && kind === 'file') return 'is a file, but must be a directory'
  return undefined
}

const absence = (directory: string, { path }: PlacedPath) =>
  isInside(directory, path)
    ? 'is neither in the files of the stack nor on the host'
    : 'is not on the host'

const isInside = (directory: string, path: string) =>
  path === directory || relativeTo(directory, path) !== undefined

function shownPath(directory: string, path: string): string {
  const inside = relativeTo(directory, path)
  return inside !== undefined ? `./${inside}` : path === directory ? '.' : path
}
