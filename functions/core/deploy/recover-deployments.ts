import { serviceRow } from '../audit/row.ts'
import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { LostLease } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { AuditOutcome } from '../records/audit-row.ts'
import type { Deployment } from '../records/deployment.ts'
import { peekStackLease, tryStackLease, withLatestFence } from '../stacks/stack-lease.ts'
import { releaseOnError } from './acquire.ts'
import { completeAudit } from './complete-audit.ts'
import type { DeployPorts } from './request.ts'
import { resumeOrInterrupt } from './resume-deployment.ts'

export type DeploymentRecoveryPorts = DeployPorts & Needs<'reminders'>

/**
 * Recovers deployments whose process died, which shows in their expired lease. Each is planned
 * again from the current state of the host, so that nothing is done twice, and run in the
 * background. One that cannot be resumed, or that a user cancelled, is marked `interrupted` with
 * the reason. One that is refused for now, such as by a busy Engine or because the agent of its
 * host has not connected yet, stays recorded as running, and the next call tries it again. Then
 * writes the missing audit rows of deployments whose process died before it wrote them.
 */
export async function recoverDeployments(ports: DeploymentRecoveryPorts): Promise<void> {
  const running = await ports.deployments.listRunning()
  // One that fails must not keep the others from their audit rows: the next call tries it again.
  const recoverOrLog = ({ id, stack }: Deployment) =>
    recoverDeployment(id, stack, ports).catch((error) => {
      // What refuses it may be busy or away for long.
      if (!ports.reminders.isDue(`recover ${id}`)) return
      logFailure(ports.log, 'a deployment could not be recovered yet', { deployment: id, error })
    })
  await Promise.all(running.map(recoverOrLog))
  for (const { id, stack } of await ports.deployments.listUnaudited()) {
    await completeAudit(id, stack, ports).catch((error) => {
      logFailure(ports.log, 'the end of a deployment is not in the audit log yet', {
        deployment: id,
        error,
      })
    })
  }
}

async function recoverDeployment(
  id: string,
  stack: string,
  ports: DeploymentRecoveryPorts,
): Promise<void> {
  const { held } = await peekStackLease(stack, ports)
  if (held) return
  const holder = recoveryHolderOf(ports.background.processId, id)
  const acquired = await tryStackLease(stack, holder, ports)
  if (!acquired) return
  const found = await releaseOnError(acquired, ports, async () => {
    const deployment = await ports.deployments.find(stack, id)
    if (deployment?.status !== 'running') return undefined
    const recorded = Math.max(deployment.fence ?? 0, (await ports.stacks.find(stack))?.fence ?? 0)
    return { deployment, lease: await withLatestFence(acquired, recorded, ports) }
  })
  if (!found) return ports.leases.release(acquired)
  const { deployment, lease } = found
  if (ports.reminders.isDue(`interrupted ${id}`)) {
    ports.log.warn('a deployment was interrupted: its process ended', { deployment: id, stack })
  }
  await releaseOnError(lease, ports, () => recoverUnderLease(deployment, lease, ports))
}

/**
 * Resumes a deployment or marks it interrupted, with an audit row before and after that.
 *
 * @throws what it was refused with, if that passes: nothing is written or changed then
 */
async function recoverUnderLease(
  deployment: Deployment,
  lease: Lease,
  ports: DeploymentRecoveryPorts,
): Promise<void> {
  const { id, stack } = deployment
  const rowId = ports.random.id()
  const audit = (outcome: AuditOutcome) =>
    ports.audit.append({ ...rowOf(deployment, outcome, ports), id: rowId })
  let begun: Promise<void> | undefined
  const begin = () => {
    begun ??= audit('begun')
    return begun
  }
  const recovery = await resumeOrInterrupt(deployment, lease, ports, begin).catch((error) => {
    // Another process recovers it by now, and writes how that ends.
    if (error instanceof LostLease) return undefined
    throw error
  })
  if (!recovery) return
  // A deployment may take long, and others have to be recovered meanwhile.
  ports.background.run(`record the recovery of ${stack}`, async () => {
    await recovery.finished
    const ended = await ports.deployments.find(stack, id)
    if (ended?.status === 'running') return
    await audit(!ended || ended.status === 'succeeded' ? 'succeeded' : 'failed').catch((error) => {
      const fields = { deployment: id, error }
      logFailure(ports.log, 'the recovery of a deployment is not in the audit log', fields)
    })
  })
}

/** Returns the audit row for the recovery of a deployment. */
function rowOf(
  { id, stack, hostId, kind }: Deployment,
  outcome: AuditOutcome,
  { clock }: DeployPorts,
) {
  return serviceRow({
    id,
    at: clock.now(),
    action: 'stacks.recover',
    outcome,
    subject: { kind: 'stacks', id: stack },
    hosts: [hostId],
    values: { deployment_id: id, kind },
  })
}
