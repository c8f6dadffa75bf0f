import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'

/**
 * Requests the cancellation of a deployment: the process that runs it stops it before its next
 * step, and no process resumes it. Returns the deployment as it is now.
 *
 * @param by the name of the user
 * @throws 404 if there is no such deployment, 409 if it has ended
 */
export async function cancelDeployment(
  stack: string,
  id: string,
  by: string,
  ports: Needs<'clock' | 'deployments'>,
): Promise<Deployment> {
  requireRunning(await getDeployment(stack, id, ports))
  await ports.deployments.requestCancel(stack, id, { by, at: ports.clock.now() })
  // It may have ended in the meantime. Only `interrupted` can be the effect of the request.
  const latest = await getDeployment(stack, id, ports)
  return latest.status === 'interrupted' ? latest : requireRunning(latest)
}

async function getDeployment(stack: string, id: string, { deployments }: Needs<'deployments'>) {
  const found = await deployments.find(stack, id)
  if (!found) throw notFound(`stack ${stack}: it has no deployment ${id}`)
  return found
}

function requireRunning(deployment: Deployment): Deployment {
  const { id, status, kind } = deployment
  if (status === 'running') return deployment
  throw conflict(`deployment ${id}: the ${kind} has ended (${status}) and cannot be cancelled`, {
    reason: 'conflict',
  })
}
