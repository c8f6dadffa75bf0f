import type { Reason } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment, StepReport } from '../records/deployment.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import type { StackRecord } from '../records/stack.ts'
import { changeStack } from '../stacks/stack-record.ts'
import { withFence } from './record-stack.ts'
import { lastDeploymentOf } from './stack-changes.ts'
import { withoutFailedStops } from './verb-changes.ts'

/**
 * Marks a deployment that no process runs any more as interrupted. Durable after it: the stack's
 * record, then the deployment. While the latter is recorded as running, `recoverDeployments` can
 * complete what is missing.
 *
 * @param failure the reason, for the user and for programs
 * @param fence the fence of the stack's lease
 * @throws LostLease if the stack was written under a later lease
 */
export async function markInterrupted(
  deployment: Deployment,
  { error, reason }: { error: string; reason: Reason | undefined },
  fence: number,
  ports: Needs<'clock' | 'deployments' | 'stacks'>,
): Promise<void> {
  const finishedAt = ports.clock.now()
  const steps = deployment.steps.map((step) => ended(step, error))
  const status = 'interrupted' as const
  const interrupted = { ...deployment, status, steps, error, reason, finishedAt }
  await changeStack(
    deployment.stack,
    (stack) => withFence(stack, fence, changesOnInterrupt(stack, interrupted)),
    ports,
  )
  await ports.deployments.save({ ...interrupted, fence })
}

const changesOnInterrupt = (stack: StackRecord, interrupted: Deployment): Partial<StackRecord> => ({
  ...(isLater(stack.last, interrupted) ? {} : { last: lastDeploymentOf(interrupted, stack) }),
  ...(rulesOf(interrupted).verb !== null ? { verbs: withoutFailedStops(stack, interrupted) } : {}),
})

const isLater = (last: StackRecord['last'], { id }: Deployment) =>
  last !== null && last.deploymentId > id

/** Returns the final report of a step: failed if it was running, skipped if it had not begun. */
function ended(step: StepReport, error: string): StepReport {
  if (step.status === 'running') return { ...step, status: 'failed', error }
  return step.status === 'pending' ? { ...step, status: 'skipped' } : step
}
