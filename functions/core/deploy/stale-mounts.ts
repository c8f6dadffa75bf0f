import { joinPath, relativeTo } from '../../compose/paths.ts'
import type { Plan } from '../../compose/plan/plan-steps.ts'
import type { Project } from '../../compose/project.ts'
import type { ObservedContainer, ObservedMount } from '../../compose/snapshot.ts'
import { allImages } from '../../compose/used-resources.ts'
import { isLink, type StackTree } from '../records/stack-tree.ts'
import { entryAt } from '../stacks/tree.ts'

/** A service that still uses the old content of files, and the warning. */
export interface StaleService {
  service: string
  text: string
}

/** Facts about a deploy that was planned. */
export interface PlannedWrites {
  directory: string
  /** The stack's own files. */
  tree: StackTree
  /** The files that the deploy writes. */
  write: StackTree
  project: Project
  containers: readonly ObservedContainer[]
  plan: Plan
  /** The pulls and builds that the rest of the plan depends on. */
  prefetch: Plan
}

/** The maximum number of paths that a text names. */
const pathsNamedMax = 3

/**
 * Returns the services with a mounted file that a deploy replaces while it leaves their containers
 * running. The mount of a single file follows its inode, and a deploy writes a file as a new inode:
 * the container sees the old content until it is restarted. Changes in a mounted directory are seen
 * at once.
 */
export const staleMounts = (planned: PlannedWrites): StaleService[] =>
  [...stalePaths(planned)].map(([service, paths]) => ({
    service,
    text: `service ${service} sees the old ${namedPaths(paths)} until it is restarted`,
  }))

/** Returns the services of `staleMounts`, each with the paths of the files. */
export function stalePaths(planned: PlannedWrites): Map<string, string[]> {
  const changing = changingServices(planned)
  const byService = new Map<string, string[]>()
  for (const { service, state, mounts, oneoff } of planned.containers) {
    if (oneoff || changing.has(service) || !isUp(state)) continue
    const paths = [...(byService.get(service) ?? []), ...replacedMounts(mounts, planned)]
    if (paths.length > 0) byService.set(service, [...new Set(paths)])
  }
  return byService
}

/** Returns the services whose containers a deploy starts, stops or replaces, or may replace. */
export function changingServices({ project, plan, prefetch }: PlannedWrites): Set<string> {
  const steps = [...prefetch.steps, ...plan.steps]
  const stepped = steps.flatMap(({ kind, service }) =>
    kind === 'container' ? (service ?? []) : [],
  )
  // Whether a new image replaces a container is only known once the image is there.
  const fetched = new Set(
    prefetch.steps.flatMap(({ kind, name }) => (kind === 'image' ? name : [])),
  )
  const open = Object.keys(project.services).filter((service) =>
    allImages(project, service).some((image) => fetched.has(image)),
  )
  return new Set([...stepped, ...open])
}

function replacedMounts(
  mounts: readonly ObservedMount[],
  { directory, tree, write }: PlannedWrites,
): string[] {
  return mounts.flatMap(({ type, source }) => {
    const path = type === 'bind' ? relativeTo(directory, source) : undefined
    if (path === undefined) return []
    return [path, targetOf(path, tree)].some((one) => Object.hasOwn(write, one)) ? path : []
  })
}

const isUp = (state: ObservedContainer['state']) =>
  ['running', 'paused', 'restarting'].includes(state)

/** Returns where a link of the stack leads, or the path itself. */
function targetOf(path: string, tree: StackTree): string {
  const entry = entryAt(tree, path)
  if (!entry || !isLink(entry)) return path
  return joinPath(`/${path}`, `../${entry.link}`).slice(1)
}

/** Returns the first paths as a text. */
export function namedPaths(paths: readonly string[]): string {
  const named = paths.slice(0, pathsNamedMax).map((path) => `./${path}`)
  const more = paths.length > pathsNamedMax ? ` and ${paths.length - pathsNamedMax} more` : ''
  return `${named.join(', ')}${more}`
}
