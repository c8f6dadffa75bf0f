import { leaseHeld } from '../errors.ts'
import { holderOf } from '../leases/acquire-with-retry.ts'
import { keepLease, LostLease } from '../leases/lease-renewal.ts'
import { refuseWhilePaused } from '../leases/pause.ts'
import { claimAll } from '../owners/claim-owner.ts'
import type { Stored } from '../ports/collection.ts'
import type { Lease, LeaseSnapshot } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import { ignoreResult } from '../promises.ts'
import type { StackRecord } from '../records/stack.ts'
import { refuseReplaced } from '../stacks/refuse-replaced.ts'
import { acquireIfUnchanged, acquireStackLease, withLatestFence } from '../stacks/stack-lease.ts'
import { getStack } from '../stacks/stack-record.ts'
import { prepare } from './prepare.ts'
import type { PreparedDeployment } from './prepared.ts'
import { refuseLinks } from './refuse-links.ts'
import type { DeploymentRequest, DeployPorts } from './request.ts'

/** A prepared deployment and the lease of its stack. */
export interface HeldDeployment {
  prepared: PreparedDeployment
  lease: Lease
}

/**
 * Acquires the lease of the stack. The deployment is prepared again if another process held the
 * lease or changed the stack's record since `before`. Durable after it: the lease, for ten seconds,
 * the audit row of the start (its ports write that with the first lease, see `auditOnAcquire`), and
 * the ownership of the volumes and networks that belong to the stack.
 *
 * @param before the lease as it was before the deployment was prepared
 * @param id the ID of the deployment
 * @throws 409 while another deployment of the stack runs or the service is paused, or if the stack
 *   was deleted and created again since the request read it, and what `prepare` and
 *   `checkUnderLease` throw; the lease is released then
 */
export async function acquire(
  prepared: PreparedDeployment,
  before: LeaseSnapshot,
  id: string,
  ports: DeployPorts,
): Promise<HeldDeployment> {
  const { request } = prepared
  const holder = holderOf(ports.background.processId, id)
  const unchanged = await acquireIfUnchanged(before, holder, ports)
  const acquired = unchanged ?? (await acquireStackLease(request.stack.id, holder, ports))
  const { stack, lease } = await releaseOnError(acquired, ports, async () => {
    if (!request.continues) await refuseWhilePaused(ports)
    const stack = await getStack(request.stack.id, ports)
    refuseReplaced(stack, request.stack)
    refuseChanged(stack, request)
    return { stack, lease: await withLatestFence(acquired, stack.fence, ports) }
  })
  return releaseOnError(lease, ports, async () => {
    if (unchanged && stack.revision === request.stack.revision) {
      await checkUnderLease(prepared, ports)
      return { prepared, lease }
    }
    const isNewest = request.currentSets || request.files === request.stack.files
    const files = isNewest ? stack.files : request.files
    const prepareAgain = () => prepare({ ...request, stack, files }, ports)
    const kept = await keepLease(lease, ports, prepareAgain).catch((error) => {
      if (!(error instanceof LostLease)) throw error
      throw leaseHeld(`stack ${stack.id}: another operation was faster, try again`)
    })
    await checkUnderLease(kept.result, ports)
    return { prepared: kept.result, lease: kept.lease }
  })
}

/** @throws 409 if the record of a stack changed since a request was decided on */
function refuseChanged(
  { id, revision }: Stored<StackRecord>,
  { unchangedSince }: DeploymentRequest,
): void {
  if (unchangedSince === undefined || revision === unchangedSince) return
  throw leaseHeld(`stack ${id}: it was changed in the meantime`)
}

/**
 * Checks what can have changed since the plan: links in the stack's directory, and the owners of
 * the volumes and networks that it uses. Claims those that belong to the stack. Call it under the
 * lease, before the first step.
 *
 * @throws 403 or 409 if a check fails
 */
export async function checkUnderLease(
  prepared: PreparedDeployment,
  ports: Needs<'owners' | 'clock'>,
): Promise<void> {
  await refuseLinks(prepared)
  await claimAll(await prepared.checkOwners(), prepared.request.stack, ports)
}

/**
 * Does work that ends with a running deployment, and releases the lease if it fails. The release is
 * not awaited: later requests of this process come after it, and the lease also expires.
 */
export async function releaseOnError<T>(
  lease: Lease,
  { leases }: Needs<'leases'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    ignoreResult(leases.release(lease))
    throw error
  }
}
