import { acquireWithRetry } from '../acquire-with-retry.ts'
import { conflict } from '../errors.ts'
import type { Lease, LeaseSnapshot } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'

/** How long a stack stays taken after its holder died. Milliseconds. */
const held = 10_000
const renewed = 3_000

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
 * Keeps a lease while the work goes on and gives it back after. The work's signal is aborted when the lease is lost to another,
 * or when `signal` is.
 */
export async function whileHeld<T>(
  lease: Lease,
  signal: AbortSignal,
  ports: Needs<'leases' | 'clock'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const over = new AbortController()
  const keeping = started(keep(lease, over.signal, lost, ports))
  try {
    return await work(AbortSignal.any([signal, lost.signal]))
  } finally {
    over.abort()
    await keeping
    // It ends by itself too, and the work is done whatever becomes of this.
    await ports.leases.release(lease).catch(() => {})
  }
}

/** Does something with a stack that no deployment touches meanwhile. Throws a `Failure` 409 while one goes on. */
export async function betweenDeployments<T>(
  stack: string,
  ports: SeeingPorts & Needs<'background' | 'random'>,
  work: () => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/between ${ports.random.id()}`
  const lease = await getStackLease(stack, holder, ports)
  return whileHeld(lease, new AbortController().signal, ports, work)
}

async function keep(
  lease: Lease,
  over: AbortSignal,
  lost: AbortController,
  { leases, clock }: Needs<'leases' | 'clock'>,
): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(renewed, over)
    if (over.aborted) return
    // A store that does not answer now may answer before the lease runs out.
    const kept = await leases
      .acquire(lease.name, lease.holder, held)
      .catch(() => 'unknown' as const)
    if (kept === undefined) return lost.abort()
  }
}
