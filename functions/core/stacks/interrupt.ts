import type { Needs } from '../ports.ts'
import { changeStack } from './locate.ts'
import { withFence } from './record-stack.ts'
import type { Deployment } from './stack.ts'

/**
 * Marks a deployment that no process runs any more as interrupted.
 *
 * @param error the reason, for the user
 * @param fence the fence of the stack's lease
 */
export async function interruptDeployment(
  deployment: Deployment,
  error: string,
  fence: number,
  ports: Needs<'clock' | 'deployments' | 'stacks'>,
): Promise<void> {
  const finishedAt = ports.clock.now()
  const ended: Deployment = { ...deployment, status: 'interrupted', error, finishedAt, fence }
  if (!(await ports.deployments.save(ended))) return
  const last = { deploymentId: ended.id, status: ended.status }
  await changeStack(ended.stack, (stack) => withFence(stack, fence, { last }), ports)
}
