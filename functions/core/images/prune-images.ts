import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import type { PrunedImages } from '../records/host-engine.ts'

/** How long builds wait for the prune of a process that died. Milliseconds. */
const leaseMilliseconds = 10_000
/** Milliseconds between two looks at a prune that a build waits for. */
const pause = 100

const nameOf = (hostId: string) => `prune:${hostId}`

/**
 * Removes unused images that have no name. A build in progress consists of such images. Prune and
 * build both announce themselves before they look for the other: a prune holds a lease, a build is
 * a recorded step of a deployment.
 *
 * @throws 409 while another prune or a build is in progress on the host
 */
export async function pruneImages(
  hostId: string,
  engine: Pick<Engine, 'pruneImages'>,
  signal: AbortSignal,
  ports: Needs<'background' | 'clock' | 'deployments' | 'leases' | 'random'>,
): Promise<PrunedImages> {
  const holder = `${ports.background.processId}/prune ${ports.random.id()}`
  const lease = await ports.leases.acquire(nameOf(hostId), holder, leaseMilliseconds)
  if (!lease)
    throw conflict(`host ${hostId}: another prune of images is in progress`, {
      reason: 'lease-held',
    })
  return withLeaseRenewal(lease, signal, ports, async (own) => {
    await refuseDuringBuild(hostId, ports)
    return engine.pruneImages(own.signal)
  })
}

async function refuseDuringBuild(hostId: string, { deployments }: Needs<'deployments'>) {
  const running = await deployments.listRunning()
  const building = running.find(
    (deployment) =>
      deployment.hostId === hostId &&
      deployment.steps.some(({ action, status }) => action === 'build' && isUnfinished(status)),
  )
  if (!building) return
  throw conflict(
    `host ${hostId}: a deployment builds an image, and a prune would remove what it has built so far: ` +
      'try again when it is done',
    { reason: 'lease-held' },
  )
}

const isUnfinished = (status: string) => status === 'pending' || status === 'running'

/** Resolves when no prune is in progress on the host. Call it before a build that is recorded. */
export async function waitForPrune(
  hostId: string,
  signal: AbortSignal,
  { clock, leases }: Needs<'clock' | 'leases'>,
): Promise<void> {
  // Not `acquireWithin`: builds do not exclude each other, and a prune may take minutes.
  while ((await leases.peek(nameOf(hostId))).held) {
    signal.throwIfAborted()
    await clock.sleep(pause, signal)
  }
}
