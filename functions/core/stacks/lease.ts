import { acquireWithRetry } from '../acquire-with-retry.ts'
import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../lease-renewal.ts'
import type { Lease, LeaseSnapshot } from '../leases.ts'
import type { Needs } from '../ports.ts'

/** How long a stack stays taken after its holder died. Milliseconds. */
const held = 10_000

const nameOf = (stack: string) => `stack:${stack}`

/** Takes the right to change what runs of a stack, or nothing while another has it. */
export function takeStack(stack: string, holder: string, { leases }: Needs<'leases'>) {
  return leases.acquire(nameOf(stack), holder, held)
}

const running = (stack: string) => conflict(`stack ${stack}: a deployment of it is running`)

type SeeingPorts = Needs<'clock' | 'deployments' | 'leases'>

/** The same, and a `Failure` 409 while another has it. */
export function getStackLease(stack: string, holder: string, ports: SeeingPorts) {
  return whenGivenBack(stack, () => takeStack(stack, holder, ports), ports)
}

/** Who has a stack is waited for when its deployment has ended. Throws a `Failure` 409 while it goes on. */
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

/** Whether somebody has the stack: to be asked before anything of it is looked at. */
export function seeStack(stack: string, { leases }: Needs<'leases'>): Promise<LeaseSnapshot> {
  return leases.peek(nameOf(stack))
}

/** A stack that is seen free, at first by `seeing`. Throws a `Failure` 409 while somebody has it. */
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

/** Takes a stack that was seen free, or nothing when anybody had it since. */
export function takeFree(seen: LeaseSnapshot, holder: string, { leases }: Needs<'leases'>) {
  return leases.acquireIfUnchanged(seen, holder, held)
}

/**
 * Returns a lease of a stack whose fence is larger than any that its records were written under. The
 * row that counts fences can be lost, such as with a restored store.
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
  if (!raised) throw conflict(`${lease.name}: another process acquired it meanwhile: try again`)
  return raised
}

/** Does something with a stack that no deployment touches meanwhile. Throws a `Failure` 409 while one goes on. */
export async function betweenDeployments<T>(
  stack: string,
  ports: SeeingPorts & Needs<'background' | 'random'>,
  work: () => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/between ${ports.random.id()}`
  const lease = await getStackLease(stack, holder, ports)
  return withLeaseRenewal(lease, new AbortController().signal, ports, work)
}
