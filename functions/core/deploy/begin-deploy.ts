import type { Actor } from '../access/actor.ts'
import { deploysStacks, reachOf } from '../access/reach.ts'
import { scopePorts } from '../access/scope.ts'
import type { Stored } from '../ports/collection.ts'
import type { DeployOptions } from '../records/deployment.ts'
import type { StackRecord } from '../records/stack.ts'
import { startDeployment } from './deploy.ts'
import type { DeployPorts } from './request.ts'

/**
 * Begins a deployment of the newest files of a stack, as a request of an account would, and
 * resolves when its start is recorded.
 *
 * @returns the ID of the deployment
 * @throws what `startDeployment` throws
 */
export async function beginDeploy(
  stack: Stored<StackRecord>,
  options: DeployOptions,
  actor: Actor,
  ports: DeployPorts,
): Promise<string> {
  const { deployment, startRecorded } = await startDeployment(
    {
      kind: 'deploy',
      stack,
      files: stack.files,
      currentSets: true,
      environment: stack.environment,
      profiles: stack.profiles,
      reach: reachOf(actor),
      mayDeploy: deploysStacks(actor, scopePorts(ports, actor)),
      seesContainers: actor.permissions.has('containers:read'),
      options,
    },
    actor.account,
    ports,
  )
  await startRecorded()
  return deployment.id
}
