import type { Needs } from '../ports.ts'
import { changeStack } from './locate.ts'
import { withFence } from './record-stack.ts'
import type { Deployment, StepReport } from './stack.ts'

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
  const steps = deployment.steps.map(ended)
  const interrupted = { ...deployment, status: 'interrupted' as const, steps, error, finishedAt }
  if (!(await ports.deployments.save({ ...interrupted, fence }))) return
  const last = { deploymentId: deployment.id, status: interrupted.status }
  await changeStack(deployment.stack, (stack) => withFence(stack, fence, { last }), ports)
}

/** Returns the final report of a step: failed if it was running, skipped if it had not begun. */
function ended(step: StepReport): StepReport {
  if (step.status === 'running') return { ...step, status: 'failed' }
  return step.status === 'pending' ? { ...step, status: 'skipped' } : step
}
