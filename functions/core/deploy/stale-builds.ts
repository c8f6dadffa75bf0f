import { type Ignoring, ignoreFile } from '../../compose/build/ignore-file.ts'
import { joinPath, relativeTo } from '../../compose/load/paths.ts'
import type { PlacedPath } from '../../compose/load/placed-paths.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import { imageOf } from '../../compose/plan/used-resources.ts'
import type { Project } from '../../compose/project.ts'
import type { Build } from '../../compose/service-parts.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { entryAt, readFile } from '../stacks/tree.ts'
import type { HostChanges } from './host-changes.ts'
import type { StaleService } from './stale-mounts.ts'

/** Facts about a deploy that was planned. */
export interface PlannedBuilds {
  directory: string
  project: Project
  /** The stack's own files. */
  tree: StackTree
  /** The compose files, `.env` and the files that they read. */
  read: readonly string[]
  paths: readonly PlacedPath[]
  changes: Pick<HostChanges, 'write' | 'remove'>
  plans: readonly Plan[]
}

/**
 * Returns the services whose image a deploy does not build although it changes a file of the build
 * context. Files that the ignore file leaves out do not count. If the context is the stack's own
 * directory, files that containers mount or compose files read do not count either.
 */
export async function staleBuilds(
  planned: PlannedBuilds,
  ports: Needs<'texts'>,
): Promise<StaleService[]> {
  const { project, changes, plans } = planned
  const steps = plans.flatMap((plan) => plan.steps)
  const built = new Set(
    steps.flatMap(({ kind, action, name }) => (kind === 'image' && action === 'build' ? name : [])),
  )
  const changed = [...Object.keys(changes.write), ...changes.remove]
  if (changed.length === 0) return []
  const found: StaleService[] = []
  for (const [service, { build }] of Object.entries(project.services)) {
    if (!build || built.has(imageOf(project, service))) continue
    const file = await changedFile(build, changed, planned, ports)
    if (file === undefined) continue
    const text = `service ${service}: ./${file} changed, and its image is not built again: build the service, then deploy`
    found.push({ service, text })
  }
  return found
}

/** Returns one changed file that a build uses, as a path in the stack's directory. */
async function changedFile(
  { context = '.', dockerfile = 'Dockerfile', dockerfile_inline: inline }: Build,
  changed: readonly string[],
  planned: PlannedBuilds,
  ports: Needs<'texts'>,
): Promise<string | undefined> {
  const { directory, tree } = planned
  const root = joinPath(directory, context)
  const recipe =
    inline === undefined ? relativeTo(directory, joinPath(root, dockerfile)) : undefined
  const inContext = changed.flatMap((path) => {
    const part = relativeTo(root, joinPath(directory, path))
    return part === undefined || isOfContainers(path, planned, root) ? [] : [{ path, part }]
  })
  if (recipe !== undefined && changed.includes(recipe)) return recipe
  if (inContext.length === 0) return undefined
  const ignoring = await ignoringOf(
    [`${dockerfile}.dockerignore`, '.dockerignore'],
    ports,
    (name) => entryAt(tree, relativeTo(directory, joinPath(root, name)) ?? ''),
  )
  return inContext.find(({ part }) => !ignoring?.ignores(part))?.path
}

/** Returns whether a file in a context that is the stack's directory has another purpose. */
function isOfContainers(path: string, { directory, read, paths }: PlannedBuilds, root: string) {
  if (root !== joinPath(directory, '.')) return false
  if (read.includes(path)) return true
  return paths.some(({ use, path: used }) => {
    const place = use === 'run' ? relativeTo(directory, used) : undefined
    return place !== undefined && (path === place || path.startsWith(`${place}/`))
  })
}

/** Returns the first ignore file that the stack has. One that is invalid ignores nothing. */
async function ignoringOf(
  names: readonly string[],
  ports: Needs<'texts'>,
  entry: (name: string) => StackTree[string] | undefined,
): Promise<Ignoring | undefined> {
  for (const name of names) {
    const file = entry(name)
    if (!file || isLink(file)) continue
    const text = Buffer.from(await readFile(file, ports)).toString('utf8')
    try {
      return ignoreFile(text, name)
    } catch (error) {
      // The next build says what is wrong with it.
      if (error instanceof Failure) return undefined
      throw error
    }
  }
  return undefined
}
