import type { ContainerState, ObservedContainer, Port, Snapshot } from '../engine/engine.ts'
import { compareBytes } from './hash-fields.ts'

/** One container of a stack, or a service that should have one and has none: then it has no id and is `missing`. */
export interface StackServiceStatus {
  service: string
  containerId: string | null
  name: string | null
  state: ContainerState | 'missing'
  health: string | null
  image: string | null
  exitCode: number | null
  /** RFC 3339, as the Engine says it. */
  startedAt: string | null
  restarts: number
  ports: Port[]
}

/**
 * Every container of a stack in order of service and number, and each of `services` that has none. Containers of
 * `docker compose run` are left out.
 */
export function serviceStatuses(
  services: readonly string[],
  snapshot: Snapshot,
): StackServiceStatus[] {
  const containers = snapshot.containers.filter(({ oneoff }) => !oneoff)
  const present = new Set(containers.map(({ service }) => service))
  const missing = services.filter((name) => !present.has(name)).map(missingStatus)
  const found = containers
    .sort((left, right) => left.number - right.number || compareBytes(left.name, right.name))
    .map(containerStatus)
  return [...found, ...missing].sort((left, right) => compareBytes(left.service, right.service))
}

function containerStatus(container: ObservedContainer): StackServiceStatus {
  const { service, name, state, health, image, exitCode, startedAt, restarts, ports } = container
  return {
    ...{ service, containerId: container.id, name, state, health, image },
    ...{ exitCode, startedAt, restarts, ports },
  }
}

function missingStatus(service: string): StackServiceStatus {
  return {
    ...{ service, containerId: null, name: null, state: 'missing', health: null, image: null },
    ...{ exitCode: null, startedAt: null, restarts: 0, ports: [] },
  }
}
