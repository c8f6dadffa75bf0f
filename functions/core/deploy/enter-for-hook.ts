import { label } from '../../compose/create/labels.ts'
import { configHash } from '../../compose/hash/hash.ts'
import { ownEntry } from '../../compose/lookup.ts'
import { withParentIds } from '../../compose/plan/parents.ts'
import type { Step } from '../../compose/step.ts'
import { type EntryPorts, enterContainer } from '../owners/enter-container.ts'
import type { PreparedDeployment } from './prepared.ts'

/**
 * Checks that the caller of a deployment may enter the container that a command of the compose file
 * runs in. It can be one that was created from other files, by another account. A command that the
 * container was created with belongs to it, whoever stops it now.
 *
 * @throws 403 if the caller may not enter the container
 */
export async function enterForHook(
  step: Extract<Step, { action: 'exec' }>,
  prepared: Pick<PreparedDeployment, 'engine' | 'project' | 'request' | 'snapshot'>,
  ports: EntryPorts,
): Promise<void> {
  const { engine, request } = prepared
  if (isCreatedWith(step.name, prepared)) return
  const host = { hostId: request.stack.hostId, engine }
  await enterContainer(step.name, host, request.enterer ?? request, ports)
}

/** Returns whether an existing container was created from exactly this service. */
function isCreatedWith(
  name: string,
  { project, snapshot }: Pick<PreparedDeployment, 'project' | 'snapshot'>,
): boolean {
  const container = snapshot.containers.find((one) => one.name === name)
  const service = container && ownEntry(project?.services, container.service)
  if (!service) return false
  const first = snapshot.containers
    .filter(({ oneoff }) => !oneoff)
    .sort((one, other) => other.number - one.number)
  const ids = Object.fromEntries(first.map(({ service: one, id }) => [one, id]))
  return container.labels[label.configHash] === configHash(withParentIds(service, ids))
}
