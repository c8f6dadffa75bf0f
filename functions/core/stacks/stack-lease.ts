import { leaseHeld } from '../errors.ts'
import { acquireWithRetry, runOf } from '../leases/acquire-with-retry.ts'
import { type HeldLease, leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Lease, LeaseSnapshot } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'

const nameOf = (stack: string) => `stack:${stack}`

/** Begins the names of holders that are not deployments and hold the lease briefly. */
const lockPrefix = 'lock '

/** Returns whether the holder of a stack's lease is a deployment. */
export const isDeploymentLease = ({ holder }: LeaseSnapshot): boolean =>
  holder !== null && !runOf(holder).startsWith(lockPrefix)

type LeasePorts = Needs<'clock' | 'deployments' | 'leases'>

/** Returns the state of a stack's lease. */
export function peekStackLease(stack: string, { leases }: Needs<'leases'>): Promise<LeaseSnapshot> {
  return leases.peek(nameOf(stack))
}

/**
 * Acquires the lease of a stack, which a process needs to change what runs. Returns undefined if it
 * is held.
 */
export function tryStackLease(stack: string, holder: string, { leases }: Needs<'leases'>) {
  return leases.acquire(nameOf(stack), holder, leaseTime)
}

/** Acquires a lease that was free. Returns undefined if its row was written since. */
export function acquireIfUnchanged(
  free: LeaseSnapshot,
  holder: string,
  { leases }: Needs<'leases'>,
) {
  return leases.acquireIfUnchanged(free, holder, leaseTime)
}

/**
 * Acquires the lease of a stack.
 *
 * @throws 409 if an active deployment holds it
 */
export function acquireStackLease(stack: string, holder: string, ports: LeasePorts) {
  return retryWhileReleasing(stack, () => tryStackLease(stack, holder, ports), ports)
}

/**
 * Returns the state of a stack's lease once it is free. Waits about 2 s for a deployment that has
 * just ended, and up to 12 s for a holder that seems to have died.
 *
 * @throws 409 if an active deployment holds it
 */
export function freeStackLease(stack: string, ports: LeasePorts): Promise<LeaseSnapshot> {
  const peek = async () => {
    const seen = await peekStackLease(stack, ports)
    return seen.held ? undefined : seen
  }
  return retryWhileReleasing(stack, peek, ports)
}

/**
 * Retries `attempt` while the lease is held by a deployment that has ended, or for a moment only.
 *
 * @throws 409 if an active deployment holds it
 */
async function retryWhileReleasing<T>(
  stack: string,
  attempt: () => Promise<T | undefined>,
  ports: LeasePorts,
): Promise<T> {
  const hasEnded = async (id: string) => {
    if (id.startsWith(lockPrefix)) return true
    const deployment = await ports.deployments.find(stack, id)
    return deployment !== undefined && deployment.status !== 'running'
  }
  const result = await acquireWithRetry(nameOf(stack), attempt, hasEnded, ports)
  if (result === undefined) throw leaseHeld(`stack ${stack}: another operation of it is running`)
  return result
}

/**
 * Returns a lease of a stack whose fence is larger than any that its records were written under.
 * The row that counts fences can be lost, such as after a restore of the store.
 *
 * @param recorded the largest fence in the records
 * @throws 409 if the lease is lost
 */
export async function withLatestFence(
  lease: Lease,
  recorded: number | undefined,
  { leases }: Needs<'leases'>,
): Promise<Lease> {
  if (lease.fence > (recorded ?? 0)) return lease
  const raised = await leases.raiseFence(lease, recorded ?? 0)
  if (!raised)
    throw leaseHeld(`${lease.name}: another process acquired it in the meantime: try again`)
  return raised
}

/**
 * Does work under the lease of a stack, so that no deployment runs at the same time.
 *
 * @throws 409 if a deployment is running
 */
export async function withStackLock<T>(
  stack: string,
  ports: LeasePorts & Needs<'background' | 'random'>,
  work: (held: HeldLease) => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/${lockPrefix}${ports.random.id()}`
  const lease = await acquireStackLease(stack, holder, ports)
  return withLeaseRenewal(lease, new AbortController().signal, ports, work)
}
