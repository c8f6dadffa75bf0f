import { conflict } from '../../errors.ts'
import { ownEntry, serviceOf } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { ObservedContainer, Snapshot } from '../../snapshot.ts'
import { scaleOf } from '../../used-resources.ts'
import type { Decisions } from '../compare/decide.ts'
import { dependencies, namespaceServices, serviceOrder } from '../order.ts'
import { addStep, type Plan } from '../plan-steps.ts'
import type { Origins } from '../stop/own-hooks.ts'
import { addPostStart, addRestart } from '../stop/plan-restart.ts'
import { serviceEdges } from '../stop/plan-stop.ts'
import { containersOf, isUp, type ServiceOptions } from '../stop/service-containers.ts'
import { planStarts } from './plan-starts.ts'
import type { Planning, StartDraft } from './planning-state.ts'

/**
 * Plans the start of the containers that services and their dependencies have, each service after
 * the conditions of its dependencies. Creates no container. A named job that has finished runs
 * again; one that is a dependency does not.
 *
 * @throws 409 if a service has no container
 */
export function planServiceStart(
  snapshot: Pick<Snapshot, 'containers'>,
  project: Project | null,
  { services, creators = [] }: ServiceOptions,
): Plan {
  if (!project || !services.every((name) => Object.hasOwn(project.services, name))) {
    return startByLabels(snapshot, project, { services, creators })
  }
  const own = withDependencies(project, services)
  const decisions = new Map(
    serviceOrder(own.services).map((name) => {
      const keep = requireContainers(snapshot, name, scaleOf(serviceOf(own, name)))
      return [name, { name, keep, recreate: [], remove: [], create: [] }]
    }),
  )
  const planning = startPlanning(own, snapshot, decisions, [project, ...creators])
  for (const name of services) {
    for (const container of decisions.get(name)?.keep ?? []) {
      if (container.state === 'exited') planning.starts.push(draftOf(container))
    }
  }
  planStarts(planning)
  restartSharers({ plan: planning.plan, project, creators, snapshot }, project)
  return planning.plan
}

/** Restarts the running containers that share namespaces of services that the plan starts. */
function restartSharers(origins: Origins, project: Project): void {
  const { plan, snapshot } = origins
  for (const name of serviceOrder(project.services)) {
    const shared = namespaceServices(serviceOf(project, name))
    const cause = shared.find((one) => plan.steps.some(({ service }) => service === one))
    if (cause === undefined) continue
    const after = plan.steps.flatMap(({ service }, index) => (service === cause ? [index] : []))
    for (const container of containersOf(snapshot, name).filter(isUp)) {
      const about = { reason: `shares a namespace of ${cause}`, service: name, after }
      addRestart(origins, container, about)
    }
  }
}

const draftOf = (container: ObservedContainer): StartDraft => ({
  service: container.service,
  number: container.number,
  name: container.name,
  after: [],
  fresh: false,
  container,
  reason: `exited ${container.exitCode ?? ''}`.trim(),
})

/**
 * Returns a project with these services and their dependencies. The commands of `pre_start` belong
 * to the creation of containers and are left out.
 */
function withDependencies(project: Project, names: readonly string[]): Project {
  const found = new Map<string, Project['services'][string]>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const service = ownEntry(project.services, name)
    if (found.has(name) || !service) continue
    const { pre_start: _, ...rest } = service
    found.set(name, rest)
    open.push(...dependencies(service))
  }
  return { ...project, services: Object.fromEntries(found) }
}

function requireContainers(
  snapshot: Pick<Snapshot, 'containers'>,
  name: string,
  scale: number,
): ObservedContainer[] {
  const containers = containersOf(snapshot, name)
  if (containers.length === 0 && scale > 0) {
    throw conflict(`service ${name}: it has no container to start, deploy it first`)
  }
  return containers
}

function startPlanning(
  project: Project,
  { containers }: Pick<Snapshot, 'containers'>,
  decisions: Decisions,
  creators: readonly Project[],
): Planning {
  return {
    project,
    creators,
    decisions,
    joinable: decisions,
    plan: { steps: [], warnings: [] },
    files: undefined,
    starts: [],
    snapshot: { project: project.name, containers, networks: [], volumes: [] },
    resolved: { networks: {}, volumes: {}, images: {} },
    fetches: new Map(),
    removals: new Map(),
    networks: new Map(),
    volumes: new Map(),
    seeds: new Map(),
    stops: new Map(),
    created: new Map(),
    moves: new Map(),
    renames: new Map(),
    options: {
      apiVersion: '1.41',
      pull: null,
      forceRecreate: false,
      removeOrphans: false,
      files: [],
      keptVolumes: {},
      now: 0,
    },
  }
}

/** Plans the start without the project: in the order of the labels, without conditions. */
function startByLabels(
  snapshot: Pick<Snapshot, 'containers'>,
  project: Project | null,
  { services, creators = [] }: Pick<ServiceOptions, 'services' | 'creators'>,
): Plan {
  const plan: Plan = { steps: [], warnings: [] }
  const origins = { plan, project, creators, snapshot }
  for (const name of services) requireContainers(snapshot, name, 1)
  const edges = serviceEdges(snapshot, null)
  const selected = new Set<string>()
  const open = [...services]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (selected.has(name)) continue
    selected.add(name)
    open.push(...(edges.get(name) ?? []))
  }
  const started = new Map<string, number[]>()
  for (const [name, needs] of edges) {
    if (!selected.has(name)) continue
    const after = needs.flatMap((need) => started.get(need) ?? [])
    const idle = containersOf(snapshot, name).filter(({ state }) => state !== 'running')
    const steps = idle.map((container) => {
      const about = { reason: 'start', service: name, after }
      const call = { action: 'start', kind: 'container', name: container.name } as const
      return addPostStart(origins, container, addStep(plan, about, call))
    })
    started.set(name, steps)
  }
  return plan
}
