import type { ContainerState, Port } from '../../compose/snapshot.ts'
import type { ServiceState } from '../records/stack-state.ts'
import { detailOf } from './service-detail.ts'
import type { StackContainer, StackService, StackState } from './stack-state.ts'

/**
 * A container of a stack, or a service without the container that it should have: then
 * `container_id` is null and the state is `missing`.
 */
export interface ServiceStatus {
  service: string
  container_id: string | null
  name: string | null
  /** The number of the container among those of its service. */
  number: number | null
  state: ContainerState | 'missing'
  health: string | null
  image: string | null
  exit_code: number | null
  started_at: string | null
  restarts: number
  ports: Port[]
  service_state: ServiceState
  detail: string | null
}

/**
 * Returns the containers of a stack that still exist, and the services that have none, sorted by
 * service and number.
 *
 * @param now milliseconds since the epoch
 */
export function serviceStatuses({ byName }: StackState, now: number): ServiceStatus[] {
  return [...byName.values()].flatMap((service) => {
    const rows = service.existing.map((container) => containerStatus(service, container, now))
    return rows.length > 0 ? rows : missingStatus(service, now)
  })
}

function containerStatus(
  service: StackService,
  container: StackContainer,
  now: number,
): ServiceStatus {
  const { summary, run, state } = container
  return {
    service: service.name,
    container_id: summary.id,
    name: summary.name,
    number: container.number,
    state,
    health: container.health,
    image: imageName(run?.image ?? summary.image, service.inFile?.image),
    exit_code: container.exitCode,
    started_at: run?.startedAt ?? null,
    restarts: run?.restarts ?? 0,
    ports: summary.ports,
    service_state: service.state,
    detail: detailOf(service, container, now),
  }
}

/**
 * Returns the name of a container's image. A rollback creates containers from ids and digests,
 * which stand for the name in the file.
 */
const imageName = (image: string, expected: string | undefined): string =>
  expected !== undefined && /^sha256:|@sha256:/.test(image) ? expected : image

function missingStatus(service: StackService, now: number): ServiceStatus[] {
  const { inFile, expected } = service
  const wanted = Math.max(expected, inFile?.containers ?? 0)
  if (wanted === 0) return []
  return [
    {
      service: service.name,
      container_id: null,
      name: null,
      number: null,
      state: 'missing',
      health: null,
      image: inFile?.image ?? null,
      exit_code: null,
      started_at: null,
      restarts: 0,
      ports: [],
      service_state: service.state,
      detail: detailOf(service, undefined, now),
    },
  ]
}
