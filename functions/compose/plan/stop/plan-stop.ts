import { dependenciesOf } from '../../create/labels.ts'
import { nanoseconds } from '../../create/quantities.ts'
import { externalVolumes } from '../../load/prune.ts'
import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Snapshot } from '../../snapshot.ts'
import { collectKeptVolumes, type KeptVolumes } from '../../used-resources.ts'
import { dependencies, topological } from '../order.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import { ownHooks } from './own-hooks.ts'
import { type CreatorOptions, isUp } from './service-containers.ts'
import { removeContainer, type Stopping, stopContainer } from './stop-container.ts'

type Containers = Pick<Snapshot, 'containers'>

/** How containers are stopped. */
export interface StopOptions extends CreatorOptions {
  /** Overrides the stop timeout of containers. Seconds. */
  timeoutSeconds?: number | undefined
}

/** Resources to remove besides the containers and networks of a project. */
export interface RemoveOptions extends StopOptions {
  volumes: boolean
  /**
   * Anonymous volumes of containers that earlier stops removed; see `collectKeptVolumes`. Removed
   * with the other volumes.
   */
  keptVolumes: Readonly<KeptVolumes>
  /**
   * Volumes that an earlier project of that name left. Removed with the other volumes; those that
   * something else uses stay, with a warning.
   */
  leftVolumes?: readonly string[]
  /** Volumes that the files call external, besides those that the project uses. They stay. */
  externalVolumes?: readonly string[] | undefined
  /** References of images to remove. */
  images?: readonly string[]
  /** Volumes that something else uses stay, with a warning; otherwise the removal fails. */
  keepsUsed?: boolean
}

/**
 * Plans the stop and removal of all containers of a project, each after those that depend on it.
 * Networks and volumes stay. Without a project the plan relies on labels alone.
 */
export function planStop(
  snapshot: Containers,
  project: Project | null,
  { creators = [], timeoutSeconds }: StopOptions = {},
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  stopAll({ plan, snapshot, project, creators, stops: new Map(), timeoutSeconds }, 'stop')
  return plan
}

/**
 * Plans the removal of a project: its containers, networks and, if requested, volumes. External
 * networks and volumes are never removed.
 */
export function planRemove(
  snapshot: Snapshot,
  project: Project | null,
  options: RemoveOptions,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const { timeoutSeconds, keepsUsed, images = [], creators = [], leftVolumes = [] } = options
  const stopping = { plan, snapshot, project, creators, stops: new Map(), timeoutSeconds }
  const after = stopAll(stopping, 'remove')
  for (const { name, id } of snapshot.networks) {
    const call = { action: 'remove', kind: 'network', name, id, required: false } as const
    addStep(plan, { reason: 'remove', after }, call)
  }
  for (const name of images) {
    const call = { action: 'remove', kind: 'image', name, required: false } as const
    addStep(plan, { reason: 'remove images', after }, call)
  }
  if (!options.volumes) return plan
  const external = new Set([
    ...(project ? externalVolumes(project) : []),
    ...(options.externalVolumes ?? []),
  ])
  const names = [
    ...snapshot.volumes.map(({ name }) => name),
    ...Object.values(collectKeptVolumes(options.keptVolumes, snapshot)),
    ...leftVolumes,
  ]
  for (const name of new Set(names)) {
    if (external.has(name)) continue
    const call = { action: 'remove', kind: 'volume', name } as const
    const mayStay = keepsUsed || leftVolumes.includes(name)
    const kept = mayStay ? { ...call, required: false } : call
    addStep(plan, { reason: 'remove volumes', after }, kept)
  }
  return plan
}

/**
 * Adds steps that stop and remove every container. Returns the steps that must finish before
 * networks can be removed.
 */
function stopAll(stopping: Stopping, reason: string): number[] {
  const { plan, snapshot, project, timeoutSeconds } = stopping
  const edges = serviceEdges(snapshot, project)
  const stopped = new Map<string, number[]>()
  const removed: number[] = []
  for (const name of [...edges.keys()].reverse()) {
    const users = [...edges]
      .filter(([, needs]) => needs.includes(name))
      .flatMap(([user]) => stopped.get(user) ?? [])
    const stops: number[] = []
    for (const container of snapshot.containers.filter(({ service }) => service === name)) {
      if (timeoutSeconds === undefined && diesAtOnce(stopping, container)) {
        const removal = removeContainer(plan, container, reason, users)
        stops.push(removal)
        removed.push(removal)
        continue
      }
      const stop = stopContainer(stopping, container, reason, users)
      if (stop !== undefined) stops.push(stop)
      removed.push(removeContainer(plan, container, reason, [stop]))
    }
    stopped.set(name, stops.length > 0 ? stops : users)
  }
  return removed
}

/**
 * With a grace period of zero a stop kills the container at once. A forced removal does the same in
 * one call.
 */
function diesAtOnce(stopping: Stopping, container: ObservedContainer): boolean {
  const service = ownEntry(stopping.project?.services, container.service)
  if (!service || container.oneoff || !isUp(container)) return false
  if (nanoseconds(service.stop_grace_period) !== 0 || service.stop_signal) return false
  return ownHooks('pre_stop', container, stopping).length === 0
}

/**
 * Returns the services that have containers, in dependency order, with their dependencies according
 * to labels and project.
 */
export function serviceEdges(snapshot: Containers, project: Project | null): Map<string, string[]> {
  const edges = new Map<string, string[]>()
  for (const { service, labels } of snapshot.containers) {
    const own = ownEntry(project?.services, service)
    const needs = [...dependenciesOf(labels), ...(own ? dependencies(own) : [])]
    edges.set(service, [...new Set([...(edges.get(service) ?? []), ...needs])])
  }
  return new Map(topological(edges, () => {}).map((name) => [name, edges.get(name) ?? []]))
}
