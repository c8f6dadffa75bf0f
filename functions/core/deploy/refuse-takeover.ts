import type { ObservedContainer } from '../../compose/snapshot.ts'
import { refusedByPolicy } from '../errors.ts'
import { containersUsing } from '../hosts/containers-using.ts'
import type { EntryPorts } from '../owners/enter-container.ts'
import { enterJoined } from '../owners/enter-joined.ts'
import type { Engine } from '../ports/engine.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { refuseSharedDirectory } from '../stacks/shared-directory.ts'
import type { DeploymentRequest } from './request.ts'

/**
 * Checks that the first deployment of a stack takes over neither the containers of an existing
 * project of that name, with their data, nor the directory of another stack, nor what a running
 * container that the caller may not enter has in the directory. Later versions refuse a directory
 * of another stack when the stack is created.
 *
 * @throws 403 or 409 if it would and the caller has no access to the host
 */
export async function refuseTakeover(
  { stack, reach, mayDeploy }: Pick<DeploymentRequest, 'stack' | 'reach' | 'mayDeploy'>,
  containers: readonly ObservedContainer[],
  engine: Engine,
  ports: EntryPorts,
): Promise<void> {
  if (reach === 'host' || wasEverDeployed(stack)) return
  await refuseSharedDirectory(stack, reach, ports)
  const inside = await containersUsing({ volumes: [], directories: [stack.directory] }, engine)
  const ids = inside.map(({ id }) => id)
  await enterJoined(ids, { stack, reach, mayDeploy }, engine, ports)
  if (containers.length === 0) return
  throw refusedByPolicy(
    `stack ${stack.id}: the host already has containers of a project with that name, which no stack created: ` +
      'adopt the project, or deploy with the permission stacks:privileged',
  )
}
