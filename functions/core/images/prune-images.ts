import { leaseHeld } from '../errors.ts'
import type { HostFields } from '../hosts/host-fields.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Needs } from '../ports/ports.ts'
import type { Deployment } from '../records/deployment.ts'

/** Milliseconds between two looks at a prune that a build waits for. */
const lookEvery = 100

/** Stacks whose newest deployment is read at once. */
const readAtOnce = 16

const nameOf = (hostId: string) => `prune:${hostId}`

/**
 * Removes unused images that have no name. A build in progress consists of such images, and an
 * image that was pulled by its digest is one until it is tagged. Prune and build both announce
 * themselves before they look for the other: a prune holds a lease, a build is a recorded step of a
 * deployment.
 *
 * @param prune removes the images
 * @throws 409 while another prune, a build or such a pull is in progress on the host
 */
export async function pruneImages<T>(
  { host_id: hostId, host_name: hostName }: HostFields,
  signal: AbortSignal,
  ports: Needs<'background' | 'clock' | 'deployments' | 'leases' | 'random' | 'stacks'>,
  prune: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const holder = `${ports.background.processId}/prune ${ports.random.id()}`
  const lease = await ports.leases.acquire(nameOf(hostId), holder, leaseTime)
  if (!lease) throw leaseHeld(`host ${hostName}: another prune of images is in progress`)
  return withLeaseRenewal(lease, signal, ports, async (own) => {
    await refuseDuringBuild({ hostId, hostName }, ports)
    return prune(own.signal)
  })
}

async function refuseDuringBuild(
  { hostId, hostName }: Record<'hostId' | 'hostName', string>,
  ports: Needs<'deployments' | 'stacks'>,
) {
  if (!(await isBuilding(hostId, ports))) return
  throw leaseHeld(
    `host ${hostName}: a deployment builds or tags an image, and a prune would remove what has no name so far: ` +
      'try again when it is done',
  )
}

/**
 * Reads the newest deployment of each stack, because the list of running ones may lack one that
 * began at this moment. Only the newest deployment of a stack can run.
 */
async function isBuilding(
  hostId: string,
  { deployments, stacks }: Needs<'deployments' | 'stacks'>,
) {
  const waiting = await stacks.list()
  while (waiting.length > 0) {
    const some = waiting.splice(0, readAtOnce)
    const newest = await Promise.all(some.map(({ id }) => deployments.listByStack(id, 1)))
    if (newest.flat().some((deployment) => builds(deployment, hostId))) return true
  }
  return false
}

const builds = (deployment: Deployment, hostId: string) =>
  deployment.status === 'running' &&
  deployment.hostId === hostId &&
  deployment.steps.some(({ action, status }) => makesUnnamed.has(action) && isUnfinished(status))

const makesUnnamed = new Set(['build', 'tag'])

const isUnfinished = (status: string) => status === 'pending' || status === 'running'

/** Resolves when no prune is in progress on the host. Call it before a recorded build or tag. */
export async function waitForPrune(
  hostId: string,
  signal: AbortSignal,
  { clock, leases }: Needs<'clock' | 'leases'>,
): Promise<void> {
  // Not `acquireWithin`: builds do not exclude each other, and a prune may take minutes.
  while ((await leases.peek(nameOf(hostId))).held) {
    signal.throwIfAborted()
    await clock.sleep(lookEvery, signal)
  }
}
