import { ownEntry } from '../../lookup.ts'
import type { Project } from '../../project.ts'
import type { Service } from '../../service.ts'
import type { Snapshot } from '../../snapshot.ts'
import type { ServiceDecision } from '../compare/decide.ts'
import { dependencies, parentServices } from '../order.ts'
import { containersOf } from '../stop/service-containers.ts'

/** The services of a project that an operation selects. */
export interface Selection {
  /** Empty for all. */
  services: readonly string[]
  /** Whether it also selects their dependencies. */
  dependencies: boolean
}

/**
 * Returns the project with the named services and, if requested, their dependencies. The others are
 * in `left_out`. As in docker compose, services do not depend on those that are left out.
 */
export function selectServices(project: Project, selection: Selection): Project {
  if (selection.services.length === 0) return project
  const selected = new Set<string>()
  const open = [...selection.services]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const service = ownEntry(project.services, name)
    if (selected.has(name) || !service) continue
    selected.add(name)
    if (selection.dependencies) open.push(...dependencies(service))
  }
  const all = Object.entries(project.services)
  const own = all.filter(([name]) => selected.has(name))
  return {
    ...project,
    services: Object.fromEntries(own.map(([name, one]) => [name, within(one, selected)])),
    left_out: Object.fromEntries(all.filter(([name]) => !selected.has(name))),
  }
}

function within(service: Service, selected: ReadonlySet<string>): Service {
  if (!service.depends_on) return service
  const known = Object.entries(service.depends_on).filter(([name]) => selected.has(name))
  return { ...service, depends_on: Object.fromEntries(known) }
}

/** Returns the project with other numbers of containers: service → number. */
export function withReplicas(
  project: Project,
  replicas: Readonly<Record<string, number>>,
): Project {
  const services = Object.entries(project.services).map(([name, service]) => {
    const scale = ownEntry(replicas, name)
    if (scale === undefined) return [name, service] as const
    const { deploy } = service
    const deployed = deploy ? { deploy: { ...deploy, replicas: scale } } : {}
    return [name, { ...service, ...deployed, scale }] as const
  })
  return { ...project, services: Object.fromEntries(services) }
}

/**
 * Returns decisions that keep the containers of services that are left out and whose namespaces or
 * volumes the others use.
 */
export function leftOutParents(
  { services, left_out: leftOut = {} }: Project,
  snapshot: Pick<Snapshot, 'containers'>,
): ServiceDecision[] {
  const parents = new Set(Object.values(services).flatMap(parentServices))
  return [...parents].flatMap((name) => {
    if (!Object.hasOwn(leftOut, name)) return []
    return [{ name, keep: containersOf(snapshot, name), recreate: [], remove: [], create: [] }]
  })
}
