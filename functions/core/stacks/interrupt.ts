import type { Needs } from '../ports.ts'
import { changeStack } from './locate.ts'
import type { Deployment } from './stack.ts'

/** Ends a deployment that nobody carries out any more, with the reason for people. */
export async function interruptDeployment(
  deployment: Deployment,
  error: string,
  ports: Needs<'clock' | 'deployments' | 'stacks'>,
): Promise<void> {
  const finishedAt = ports.clock.now()
  const ended: Deployment = { ...deployment, status: 'interrupted', error, finishedAt }
  await ports.deployments.save(ended)
  const last = { deploymentId: ended.id, status: ended.status }
  await changeStack(ended.stack, () => ({ last }), ports)
}
