import { conflict } from '../../errors.ts'
import type { Project } from '../../project.ts'
import type { Snapshot } from '../../snapshot.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import { serviceEdges } from './plan-stop.ts'
import { containersOf, type ServiceOptions } from './service-containers.ts'
import { type Stopping, stopContainer } from './stop-container.ts'

type Containers = Pick<Snapshot, 'containers'>

/**
 * Plans the stop of services, each after those of them that depend on it. Their containers stay,
 * and so do services that are not named. Without a project the plan relies on labels alone.
 */
export function planServiceStop(
  snapshot: Containers,
  project: Project | null,
  { services, timeoutSeconds, creators = [] }: ServiceOptions,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const how = { plan, project, snapshot, creators, timeoutSeconds }
  const stopping: Stopping = { ...how, stops: new Map() }
  const edges = [...serviceEdges(snapshot, project)].reverse()
  const stopped = new Map<string, number[]>()
  for (const [name] of edges) {
    if (!services.includes(name)) continue
    const users = edges.flatMap(([user, needs]) =>
      needs.includes(name) ? (stopped.get(user) ?? []) : [],
    )
    const stops = containersOf(snapshot, name).flatMap(
      (container) => stopContainer(stopping, container, 'stop', users) ?? [],
    )
    stopped.set(name, stops)
  }
  return plan
}

/**
 * Plans the pause of services: of their containers that run and are not paused.
 *
 * @throws 409 if all containers of a service that run are paused already, as in docker compose
 */
export function planPause(snapshot: Containers, { services }: ServiceOptions): Plan {
  for (const name of services) {
    const states = new Set(containersOf(snapshot, name).map(({ state }) => state))
    if (states.has('paused') && !states.has('running') && !states.has('restarting')) {
      throw conflict(`service ${name}: it is already paused`)
    }
  }
  return eachContainer(snapshot, services, 'pause', ['running', 'restarting'])
}

/** Plans the end of the pause of services. */
export function planUnpause(snapshot: Containers, { services }: ServiceOptions): Plan {
  return eachContainer(snapshot, services, 'unpause', ['paused'])
}

function eachContainer(
  snapshot: Containers,
  services: readonly string[],
  action: 'pause' | 'unpause',
  states: readonly string[],
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  for (const service of services) {
    for (const { name, state } of containersOf(snapshot, service)) {
      if (!states.includes(state)) continue
      addStep(plan, { reason: action, service }, { action, kind: 'container', name })
    }
  }
  return plan
}
