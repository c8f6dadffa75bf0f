import type { ObservedContainer, Snapshot } from '../../engine/engine.ts'
import { dependenciesOf } from '../create/labels.ts'
import { nanoseconds } from '../create/quantities.ts'
import type { Project } from '../project.ts'
import { add, type Plan } from './draft.ts'
import { dependencies, topological } from './order.ts'
import { isUp } from './planning.ts'
import { removeContainer, type Stopping, stopContainer } from './stop-container.ts'
import { type KeptVolumes, keepVolumes } from './wanted.ts'

type Containers = Pick<Snapshot, 'containers'>

/** What is removed with the containers of a project that is taken down for good. */
export interface RemoveOptions {
  volumes: boolean
  /** Anonymous volumes that earlier stops left; see `keepVolumes`. Removed with the others. */
  keptVolumes: Readonly<KeptVolumes>
}

/**
 * Stops and removes every container of a project, each after those that depend on it; networks and volumes stay. Works
 * from the labels alone when there is no project: then hooks are not known.
 */
export function planStop(snapshot: Containers, project: Project | null): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  stopAll(plan, snapshot, project, 'stop')
  return plan
}

/** Takes a project down: its containers and networks, and its volumes only when asked. External ones are never touched. */
export function planRemove(
  snapshot: Snapshot,
  project: Project | null,
  options: RemoveOptions,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const after = stopAll(plan, snapshot, project, 'remove')
  for (const { name, id } of snapshot.networks) {
    const call = { action: 'remove', kind: 'network', name, id, required: false } as const
    add(plan, { reason: 'remove', after }, call)
  }
  if (!options.volumes) return plan
  const external = new Set(
    Object.values(project?.volumes ?? {}).flatMap((volume) => (volume.external ? volume.name : [])),
  )
  const names = [
    ...snapshot.volumes.map(({ name }) => name),
    ...Object.values(keepVolumes(options.keptVolumes, snapshot)),
  ]
  for (const name of new Set(names)) {
    if (external.has(name)) continue
    add(plan, { reason: 'remove volumes', after }, { action: 'remove', kind: 'volume', name })
  }
  return plan
}

/** Adds stop and remove of every container and answers with the steps that must be over before networks can go. */
function stopAll(
  plan: Plan,
  snapshot: Containers,
  project: Project | null,
  reason: string,
): number[] {
  const stopping: Stopping = { plan, project, stops: new Map() }
  const edges = serviceEdges(snapshot, project)
  const stopped = new Map<string, number[]>()
  const removed: number[] = []
  for (const name of [...edges.keys()].reverse()) {
    const users = [...edges]
      .filter(([, needs]) => needs.includes(name))
      .flatMap(([user]) => stopped.get(user) ?? [])
    const stops: number[] = []
    for (const container of snapshot.containers.filter(({ service }) => service === name)) {
      if (diesAtOnce(project, container)) {
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

/** A grace period of zero is no chance to end well: removing by force does the same in one call. */
function diesAtOnce(project: Project | null, container: ObservedContainer): boolean {
  const service = project?.services[container.service]
  if (!service || container.oneoff || !isUp(container)) return false
  return nanoseconds(service.stop_grace_period) === 0 && !service.pre_stop && !service.stop_signal
}

/** Services that have containers, in dependency order → what each depends on: by their labels and by the project. */
export function serviceEdges(snapshot: Containers, project: Project | null): Map<string, string[]> {
  const edges = new Map<string, string[]>()
  for (const { service, labels } of snapshot.containers) {
    const own = project?.services[service]
    const needs = [...dependenciesOf(labels), ...(own ? dependencies(own) : [])]
    edges.set(service, [...new Set([...(edges.get(service) ?? []), ...needs])])
  }
  return new Map(topological(edges, () => {}).map((name) => [name, edges.get(name)!]))
}
