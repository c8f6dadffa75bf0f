import { acquireWithRetry } from '../acquire-with-retry.ts'
import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../lease-renewal.ts'
import type { Lease, LeaseSnapshot } from '../leases.ts'
import type { Needs } from '../ports.ts'

/**
 * The duration of a stack's lease, which is how long the stack stays locked after its holder died.
 * Milliseconds.
 */
const held = 10_000

const nameOf = (stack: string) => `stack:${stack}`

/**
 * Acquires the lease of a stack, which a process needs to change what runs. Returns undefined if it
 * is held.
 */
export function takeStack(stack: string, holder: string, { leases }: Needs<'leases'>) {
  return leases.acquire(nameOf(stack), holder, held)
}

const running = (stack: string) => conflict(`stack ${stack}: a deployment of it is running`)

type SeeingPorts = Needs<'clock' | 'deployments' | 'leases'>

/**
 * Acquires the lease of a stack.
 *
 * @throws 409 if an active deployment holds it
 */
export function getStackLease(stack: string, holder: string, ports: SeeingPorts) {
  return whenGivenBack(stack, () => takeStack(stack, holder, ports), ports)
}

/**
 * Retries `attempt` while the lease is held by a deployment that has ended.
 *
 * @throws 409 if an active deployment holds it
 */
async function whenGivenBack<T>(
  stack: string,
  attempt: () => Promise<T | undefined>,
  ports: SeeingPorts,
): Promise<T> {
  const hasEnded = async (id: string) => {
    const deployment = await ports.deployments.find(stack, id)
    return deployment !== undefined && deployment.status !== 'running'
  }
  const got = await acquireWithRetry(nameOf(stack), attempt, hasEnded, ports)
  if (got === undefined) throw running(stack)
  return got
}

/** Returns the state of a stack's lease. Call it before anything of the stack is read. */
export function seeStack(stack: string, { leases }: Needs<'leases'>): Promise<LeaseSnapshot> {
  return leases.peek(nameOf(stack))
}

/**
 * Returns the state of a lease that is free.
 *
 * @param seeing the first look at the lease; retries look again
 * @throws 409 if an active deployment holds it
 */
export function getFree(
  stack: string,
  seeing: Promise<LeaseSnapshot>,
  ports: SeeingPorts,
): Promise<LeaseSnapshot> {
  let looking: Promise<LeaseSnapshot> | undefined = seeing
  const look = async () => {
    const seen = await (looking ?? seeStack(stack, ports))
    looking = undefined
    return seen.held ? undefined : seen
  }
  return whenGivenBack(stack, look, ports)
}

/** Acquires a lease that was seen free. Returns undefined if it was acquired since. */
export function takeFree(seen: LeaseSnapshot, holder: string, { leases }: Needs<'leases'>) {
  return leases.acquireIfUnchanged(seen, holder, held)
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
    throw conflict(`${lease.name}: another process acquired it in the meantime: try again`)
  return raised
}

/**
 * Does work under the lease of a stack, so that no deployment runs at the same time.
 *
 * @throws 409 if a deployment is running
 */
export async function betweenDeployments<T>(
  stack: string,
  ports: SeeingPorts & Needs<'background' | 'random'>,
  work: () => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/between ${ports.random.id()}`
  const lease = await getStackLease(stack, holder, ports)
  return withLeaseRenewal(lease, new AbortController().signal, ports, work)
}
