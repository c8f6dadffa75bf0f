import { conflict, Failure, failureReason, isTransient, publicMessage } from '../errors.ts'
import { keepLease, LostLease } from '../leases/lease-renewal.ts'
import { cancelledBy } from '../leases/watch-cancel.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'
import { bringsUp, rulesOf } from '../records/deployment-kinds.ts'
import { getStack } from '../stacks/stack-record.ts'
import { checkUnderLease } from './acquire.ts'
import { writeEndRow } from './audit-end.ts'
import { auditEndById } from './complete-audit.ts'
import { run } from './deploy.ts'
import { markInterrupted } from './mark-interrupted.ts'
import { prepare } from './prepare.ts'
import { firstPlan } from './prepared.ts'
import type { DeployPorts } from './request.ts'
import { pending } from './run-steps.ts'

/** A deployment that was resumed, or has ended. */
export interface Recovery {
  /** Resolves when the deployment has ended and its lease is released. Never rejects. */
  finished: Promise<unknown>
}

/**
 * Resumes a deployment under its new lease, in the background. Marks it interrupted instead if a
 * user cancelled it, if it cannot be resumed, or if its host has been away for five minutes.
 *
 * @param begin writes an audit row; called before anything is written or changed
 * @throws LostLease if another process acquired the lease meanwhile, and refusals that pass: the
 *   deployment is as before then
 */
export async function resumeOrInterrupt(
  deployment: Deployment,
  lease: Lease,
  ports: DeployPorts & Needs<'reminders'>,
  begin: () => Promise<void>,
): Promise<Recovery> {
  const { id, stack } = deployment
  const interrupt = async (error: string, cause: unknown): Promise<Recovery> => {
    await begin()
    const failure = { error, reason: failureReason(cause) }
    await markInterrupted(deployment, failure, lease.fence, ports)
    await auditEndById(stack, id, ports)
    await ports.leases.release(lease)
    return { finished: Promise.resolve() }
  }
  try {
    const cancel = await ports.deployments.findCancelRequest(stack, id)
    if (cancel) return await interrupt(cancelledBy(cancel).message, cancelledBy(cancel))
    await refuseReplaced(deployment, ports)
    return await resume(deployment, lease, ports, begin)
  } catch (error) {
    if (isTransient(error)) throw error
    if (isAway(error) && ports.reminders.lasted(`away ${id}`) < awayMax) throw error
    const reason = publicMessage(error, 'it could not be resumed')
    return interrupt(`the service ended while this was running: ${reason}`, error)
  }
}

/**
 * Milliseconds for which a deployment waits for its host. An agent dials every half minute at most,
 * and the host may boot later than the service, such as after a power failure.
 */
const awayMax = 5 * 60_000

/** Returns whether the agent of the host is not connected, or its Engine does not respond. */
const isAway = (error: unknown) => ['host-offline', 'engine-failed'].includes(failureReason(error))

/** The number of newest deployments of a stack among which a later one is looked for. */
const laterMax = 20

/**
 * Checks that no later deployment decided what the stack is: between the end of a process and the
 * recovery of its deployment, a user may have deployed again or taken the stack down.
 *
 * @throws 409 if there is one
 */
async function refuseReplaced(
  { id, stack, fence }: Deployment,
  { deployments }: Needs<'deployments'>,
): Promise<void> {
  // A record of an earlier version does not say under which lease it was written.
  if (fence === undefined) return
  const newest = await deployments.listByStack(stack, laterMax)
  const later = newest.find(
    (other) => other.id !== id && (other.fence ?? 0) > fence && decidesStack(other),
  )
  if (later) throw conflict(`a later ${later.kind} has replaced it`, { reason: 'conflict' })
}

const decidesStack = (deployment: Deployment) =>
  bringsUp(deployment.kind) || rulesOf(deployment).takesDown !== null

/**
 * Prepares a deployment again under its new lease and records the new steps. Executes and finishes
 * it in the background.
 *
 * @throws LostLease if another process acquired the lease meanwhile, and what `prepare` and
 *   `checkUnderLease` throw
 */
async function resume(
  deployment: Deployment,
  lease: Lease,
  ports: DeployPorts,
  begin: () => Promise<void>,
): Promise<Recovery> {
  const {
    kind,
    files,
    environment,
    profiles,
    options,
    steps,
    reach = 'host',
    entererReach = reach,
    mayUse = [],
    accountId,
  } = deployment
  const { isRepeated, takesDown } = rulesOf(deployment)
  if (!isRepeated) {
    throw new Failure(500, `a ${kind} is not repeated, some services may not have been restarted`, {
      reason: 'conflict',
    })
  }
  if (takesDown === 'record' && !(await ports.stacks.find(deployment.stack))) {
    await begin()
    await writeEndRow({ ...deployment, status: 'succeeded' }, ports)
    await ports.deployments.removeByStack(deployment.stack)
    await ports.leases.release(lease)
    return { finished: Promise.resolve() }
  }
  const stack = await getStack(deployment.stack, ports)
  const fetching = steps.filter((step) => step.kind === 'image').map(({ name }) => name)
  const mayDeploy = async (name: string) => mayUse.includes(name)
  const enterer = { reach: entererReach, mayDeploy }
  const restarting = restartsLeft(steps)
  const about = { kind, stack, files, environment, profiles, options, fetching, restarting }
  // Without a remover, so that a removal keeps what an earlier stack left.
  const request = { ...about, reach, mayDeploy, enterer, accountId }
  const { result: prepared, lease: kept } = await keepLease(lease, ports, async () => {
    const prepared = await prepare(request, ports)
    await checkUnderLease(prepared, ports)
    await begin()
    return prepared
  })
  const earlier = steps.map((step) =>
    step.status === 'done' ? step : { ...step, status: 'skipped' as const },
  )
  const resumed = {
    ...deployment,
    fence: lease.fence,
    steps: [...earlier, ...firstPlan(prepared).steps.map(pending)],
  }
  if (!(await ports.deployments.save(resumed))) throw new LostLease()
  return run({ deployment: resumed, prepared, lease: kept }, ports)
}

/** Returns the names of the containers that are still to be restarted. */
function restartsLeft(steps: Deployment['steps']): string[] {
  const restarts = steps.filter(({ action }) => action === 'restart')
  const done = new Set(restarts.flatMap(({ name, status }) => (status === 'done' ? name : [])))
  return restarts.flatMap(({ name }) => (done.has(name) ? [] : name))
}
