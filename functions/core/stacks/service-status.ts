import type { ContainerRun, ObservedContainer, Port } from '../engine/engine.ts'
import type { ServiceExpectation } from './stack.ts'

/**
 * A container of a stack, or a service without the container that it should have: then
 * `container_id` is null and the state is `missing`.
 */
export interface ServiceStatus {
  service: string
  container_id: string | null
  name: string | null
  state: ObservedContainer['state'] | 'missing'
  health: string | null
  image: string | null
  exit_code: number | null
  started_at: string | null
  restarts: number
  ports: Port[]
}

/**
 * Returns the containers of a stack that still exist, and the services that have none, sorted by
 * service and number. One-off containers are left out.
 */
export function serviceStatuses(
  services: Record<string, ServiceExpectation>,
  observed: readonly ObservedContainer[],
  runs: readonly ContainerRun[],
): ServiceStatus[] {
  const known = new Map(runs.map((run) => [run.id, run]))
  const containers = observed
    .filter(({ id, oneoff }) => !oneoff && known.has(id))
    .sort((one, other) => one.number - other.number)
  const present = new Set(containers.map(({ service }) => service))
  const missing = Object.entries(services)
    .filter(([name, expected]) => !present.has(name) && expected.containers > 0)
    .map(([name, expected]) => missingStatus(name, expected.image))
  const statuses = containers.map((container) =>
    containerStatus(container, known.get(container.id)!),
  )
  return [...statuses, ...missing].sort((one, other) =>
    one.service < other.service ? -1 : one.service > other.service ? 1 : 0,
  )
}

function containerStatus(container: ObservedContainer, run: ContainerRun): ServiceStatus {
  return {
    service: container.service,
    container_id: container.id,
    name: container.name,
    state: container.state,
    health: container.health,
    image: run.image,
    exit_code: container.state === 'running' ? null : container.exitCode,
    started_at: run.startedAt,
    restarts: run.restarts,
    ports: container.ports,
  }
}

function missingStatus(service: string, image: string): ServiceStatus {
  return {
    service,
    container_id: null,
    name: null,
    state: 'missing',
    health: null,
    image,
    exit_code: null,
    started_at: null,
    restarts: 0,
    ports: [],
  }
}
