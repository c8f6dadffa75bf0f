import { serviceRow } from '../audit/row.ts'
import { Failure, publicMessage } from '../errors.ts'
import { ignoreFailure } from '../ignore-error.ts'
import { recoveryHolderOf } from '../leases/acquire-with-retry.ts'
import { keepLease, LostLease } from '../leases/lease-renewal.ts'
import { logFailure } from '../log-failure.ts'
import type { Lease } from '../ports/leases.ts'
import type { AuditOutcome } from '../records/audit-row.ts'
import type { Deployment } from '../records/deployment.ts'
import { peekStackLease, tryStackLease, withLatestFence } from '../stacks/stack-lease.ts'
import { getStack } from '../stacks/stack-record.ts'
import { checkUnderLease, releaseOnError } from './acquire.ts'
import { auditEndOf, completeAudit } from './complete-audit.ts'
import { run } from './deploy.ts'
import { markInterrupted } from './mark-interrupted.ts'
import { prepare } from './prepare.ts'
import { firstPlan } from './prepared.ts'
import type { DeployPorts } from './request.ts'
import { pending } from './run-steps.ts'
import { cancelledBy } from './watch-cancel.ts'

/**
 * Recovers deployments whose process died, which shows in their expired lease. Each is planned
 * again from the current state of the host, so that nothing is done twice, and run. One that cannot
 * be resumed, or that a user cancelled, is marked `interrupted` with the reason. Then
 * writes the missing audit rows of deployments whose process died before it wrote them.
 */
export async function recoverDeployments(ports: DeployPorts): Promise<void> {
  const running = await ports.deployments.listRunning()
  // One that fails must not keep the others from their audit rows: the next call tries it again.
  const recoverOrLog = ({ id, stack }: Deployment) =>
    recoverDeployment(id, stack, ports).catch((error) => {
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

async function recoverDeployment(id: string, stack: string, ports: DeployPorts): Promise<void> {
  const { held } = await peekStackLease(stack, ports)
  if (held) return
  await waitForAgent(stack, id, ports)
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
  ports.log.warn('a deployment was interrupted: its process ended', { deployment: id, stack })
  await releaseOnError(lease, ports, () => recoverUnderLease(deployment, lease, ports))
}

/** Resumes a deployment or marks it interrupted, with an audit row before and after that. */
async function recoverUnderLease(
  deployment: Deployment,
  lease: Lease,
  ports: DeployPorts,
): Promise<void> {
  const { id, stack } = deployment
  const rowId = ports.random.id()
  const audit = (outcome: AuditOutcome) =>
    ports.audit.append({ ...rowOf(deployment, outcome, ports), id: rowId })
  await audit('begun')
  const interrupt = async (text: string) => {
    await markInterrupted(deployment, text, lease.fence, ports)
    await auditEndOf(stack, id, ports)
    await ports.leases.release(lease)
  }
  try {
    const cancel = await ports.deployments.findCancelRequest(stack, id)
    if (cancel) await interrupt(cancelledBy(cancel).message)
    else await resumeDeployment(deployment, lease, ports)
  } catch (error) {
    // Another process recovers it by now, and writes how that ends.
    if (error instanceof LostLease) return
    const reason = publicMessage(error, 'it could not be resumed')
    await interrupt(`the service ended while this was running: ${reason}`)
  }
  const ended = await ports.deployments.find(stack, id)
  if (ended?.status === 'running') return
  await audit(!ended || ended.status === 'succeeded' ? 'succeeded' : 'failed').catch((error) => {
    const fields = { deployment: id, error }
    logFailure(ports.log, 'the recovery of a deployment is not in the audit log', fields)
  })
}

/** How long an agent gets to reconnect after a restart of the service. Milliseconds. */
const agentTimeout = 12_000
const agentRetryInterval = 500

/** Resolves when the agent of a deployment's host is connected, or after the time limit. */
async function waitForAgent(stack: string, id: string, ports: DeployPorts): Promise<void> {
  const { clock, deployments, engines } = ports
  const hostId = (await deployments.find(stack, id))?.hostId ?? 'local'
  if (hostId === 'local') return
  const startedAt = clock.monotonic()
  while (clock.monotonic() - startedAt < agentTimeout) {
    const info = await engines
      .on(hostId)
      .then((engine) => engine.info())
      .catch(ignoreFailure('wait for an agent'))
    if (info) return
    await clock.sleep(agentRetryInterval)
  }
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

/**
 * Prepares a deployment again under its new lease, records the new steps, then executes and
 * finishes it.
 *
 * @throws LostLease if another process acquired the lease meanwhile, and what `prepare` and
 *   `checkUnderLease` throw
 */
async function resumeDeployment(
  deployment: Deployment,
  lease: Lease,
  ports: DeployPorts,
): Promise<void> {
  const {
    kind,
    files,
    environment,
    profiles,
    options,
    steps,
    reach = 'host',
    mayUse = [],
  } = deployment
  if (kind === 'restart') {
    throw new Failure(500, 'a restart is not repeated, some services may not have been restarted', {
      reason: 'conflict',
    })
  }
  if (kind === 'remove' && !(await ports.stacks.find(deployment.stack))) {
    await ports.deployments.removeByStack(deployment.stack)
    return ports.leases.release(lease)
  }
  const stack = await getStack(deployment.stack, ports)
  const fetching = steps.filter((step) => step.kind === 'image').map(({ name }) => name)
  const mayDeploy = async (name: string) => mayUse.includes(name)
  const request = { kind, stack, files, environment, profiles, options, fetching, reach, mayDeploy }
  const kept = await keepLease(lease, ports, () => prepare(request, ports))
  const prepared = kept.result
  await checkUnderLease(prepared, ports)
  const earlier = steps.map((step) =>
    step.status === 'done' ? step : { ...step, status: 'skipped' as const },
  )
  const resumed = {
    ...deployment,
    fence: lease.fence,
    steps: [...earlier, ...firstPlan(prepared).steps.map(pending)],
  }
  if (!(await ports.deployments.save(resumed))) throw new LostLease()
  await run({ deployment: resumed, prepared, lease: kept.lease }, ports).finished
}
