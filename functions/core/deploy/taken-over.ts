import type { Project } from '../../compose/project.ts'
import type { ObservedContainer, Snapshot } from '../../compose/snapshot.ts'
import type { Engine } from '../ports/engine.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { DeployOptions } from '../records/deployment.ts'

/**
 * Returns a snapshot with the containers of no project that a deploy takes over: those that have
 * the `container_name` of a service. The plan replaces each by one of its service, as it replaces
 * one that was created from other files.
 */
export async function withTakenOver(
  snapshot: Snapshot,
  { services }: Pick<Project, 'services'>,
  { takeOver = false }: Pick<DeployOptions, 'takeOver'>,
  engine: Pick<Engine, 'containers' | 'networks' | 'access' | 'installation'>,
): Promise<Snapshot> {
  if (!takeOver) return snapshot
  const named = new Map(
    Object.entries(services).flatMap(([service, { container_name: name }]) =>
      name === undefined ? [] : [[name, service] as const],
    ),
  )
  const [all, own] = await Promise.all([engine.containers({ all: true }), engine.installation()])
  const taken = all.filter(
    ({ id, stack, name }) => stack === null && named.has(name) && !own.containers.has(id),
  )
  if (taken.length === 0) return snapshot
  const networkIds = new Map((await engine.networks()).map(({ id, name }) => [name, id]))
  const observed = await Promise.all(
    taken.map(async (one) => {
      const { mounts } = await engine.access(one.id)
      return observedOf(one, { service: named.get(one.name) ?? '', mounts, networkIds })
    }),
  )
  return { ...snapshot, containers: [...snapshot.containers, ...observed] }
}

function observedOf(
  found: ContainerSummary,
  more: Pick<ObservedContainer, 'service' | 'mounts'> & {
    networkIds: ReadonlyMap<string, string>
  },
): ObservedContainer {
  const { id, name, labels, state, health, exitCode, imageId, image, ports } = found
  const networks = found.networkNames.map((one) => [one, more.networkIds.get(one) ?? ''] as const)
  return {
    id,
    name,
    labels,
    state,
    health,
    exitCode,
    imageId,
    image,
    ports,
    service: more.service,
    number: 1,
    oneoff: false,
    networks: Object.fromEntries(networks),
    mounts: more.mounts,
    isTakenOver: true,
  }
}
