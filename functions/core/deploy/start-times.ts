import { namespaceServices } from '../../compose/plan/order.ts'
import type { Project } from '../../compose/project.ts'
import type { Snapshot } from '../../compose/snapshot.ts'
import type { Engine } from '../ports/engine.ts'

/**
 * Returns a snapshot with the start times of the containers that share namespaces. One that was
 * started before the container that it shares is cut off: the other one has got new namespaces.
 */
export async function withStartTimes(
  snapshot: Snapshot,
  { services }: Project,
  engine: Pick<Engine, 'runs'>,
): Promise<Snapshot> {
  const sharing = Object.entries(services).flatMap(([name, service]) => {
    const shared = namespaceServices(service)
    return shared.length > 0 ? [name, ...shared] : []
  })
  const sharers = snapshot.containers.filter(({ service }) => sharing.includes(service))
  if (sharers.length === 0) return snapshot
  const runs = new Map((await engine.runs(sharers)).map((run) => [run.id, run.startedAt]))
  const containers = snapshot.containers.map((container) => {
    const startedAt = Date.parse(runs.get(container.id) ?? '')
    return Number.isNaN(startedAt) ? container : { ...container, startedAt }
  })
  return { ...snapshot, containers }
}
