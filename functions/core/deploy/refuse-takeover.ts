import type { ObservedContainer } from '../../compose/snapshot.ts'
import { refusedByPolicy } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import { wasEverDeployed } from '../records/stack.ts'
import { refuseSharedDirectory } from '../stacks/shared-directory.ts'
import type { DeploymentRequest } from './request.ts'

/**
 * Checks that the first deployment of a stack takes over neither the containers of an existing
 * project of that name, with their data, nor the directory of another stack. Later versions refuse
 * such a directory when the stack is created.
 *
 * @throws 403 or 409 if it would and the caller has no access to the host
 */
export async function refuseTakeover(
  { stack, reach }: Pick<DeploymentRequest, 'stack' | 'reach'>,
  containers: readonly ObservedContainer[],
  ports: Needs<'stacks'>,
): Promise<void> {
  if (reach === 'host' || wasEverDeployed(stack)) return
  await refuseSharedDirectory(stack, reach, ports)
  if (containers.length === 0) return
  throw refusedByPolicy(
    `stack ${stack.id}: the host already has containers of a project with that name, which no stack created: ` +
      'adopt the project, or deploy with the permission stacks:privileged',
  )
}
