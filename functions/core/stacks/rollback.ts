import type { Caller } from '../access/account.ts'
import type { Stored } from '../collection.ts'
import { conflict, notFound } from '../errors.ts'
import { beginDeployment, type Run } from './begin.ts'
import { loadOrder, type Order, plainOptions } from './order.ts'
import { deploysStacks, reachOf } from './reach.ts'
import type { RunPorts } from './run.ts'
import { bringsUp, type Deployment, type StackRecord } from './stack.ts'

/**
 * Deploys again what an earlier deployment deployed. Its compose file, `.env`, overlays and
 * environment become the stack's current ones, and its images are used. Services added since then
 * are removed.
 *
 * @throws 404 if there is no such deployment, 409 if it deployed nothing or its images are gone,
 *   and what `beginDeployment` throws
 */
export async function beginRollback(
  stack: Stored<StackRecord>,
  { deploymentId, overwriteDrift }: { deploymentId: string; overwriteDrift: boolean },
  caller: Caller,
  ports: RunPorts,
  onEnd?: () => void,
): Promise<Run> {
  const target = await ports.deployments.find(stack.id, deploymentId)
  if (!target) throw notFound(`stack ${stack.id}: it has no deployment ${deploymentId}`)
  const { files, environment, images } = target
  const options = { ...plainOptions, removeOrphans: true, overwriteDrift, images }
  const order: Order = {
    ...{ kind: 'rollback', stack, files, environment, options },
    reach: reachOf(caller),
    mayDeploy: deploysStacks(caller, ports),
  }
  if (!isWhole(target)) {
    // Report what the caller may not deploy before reporting what cannot be deployed.
    await loadOrder(order, ports)
    throw conflict(
      `deployment ${target.id}: cannot roll back to a ${target.kind} with status ${target.status}`,
    )
  }
  return beginDeployment(order, caller.account.username, ports, { onEnd })
}

const isWhole = ({ kind, status }: Deployment) => bringsUp(kind) && status === 'succeeded'
