import { holderOf } from '../acquire-with-retry.ts'
import type { Stored } from '../collection.ts'
import { imagesOf } from '../compose/plan/wanted.ts'
import { conflict } from '../errors.ts'
import type { Lease, LeaseSnapshot } from '../leases.ts'
import { claimAll } from '../owners/check-references.ts'
import { ignoreResult, started } from '../promises.ts'
import { firstPlan } from './carry-out.ts'
import { checkUnderLease } from './check-under-lease.ts'
import { refuseDrift } from './drift.ts'
import { pending } from './execute.ts'
import { getFree, getStackLease, seeStack, takeFree, withLatestFence } from './lease.ts'
import { getStack } from './locate.ts'
import { loadOrder, makeReady, type Order, type ReadyOrder } from './order.ts'
import { expectations } from './project.ts'
import { type Going, goOn, type RunPorts } from './run.ts'
import type { Deployment, StackRecord } from './stack.ts'
import { warningsOf } from './warnings.ts'

/** A deployment that was started. */
export interface Run extends Going {
  deployment: Deployment
}

/** Options of `beginDeployment`. */
export interface Beside {
  /** The state of the lease, requested before the stack was read. */
  seeing?: Promise<LeaseSnapshot>
  /** Called with the result once it is certain, before it is recorded. */
  onEnd?(ended: Deployment): void
}

/**
 * Prepares an order, records it as a deployment and runs it. The deployment continues if the caller
 * disconnects. Errors in the stack's texts are reported before a running deployment.
 *
 * @throws 409 while another order of the stack runs, and what `makeReady` throws; nothing has
 *   changed then
 */
export async function beginDeployment(
  order: Order,
  by: string,
  ports: RunPorts,
  { seeing = started(seeStack(order.stack.id, ports)), onEnd }: Beside = {},
): Promise<Run> {
  const id = ports.random.id()
  const loading = started(loadOrder(order, ports))
  const seen = await getFree(order.stack.id, seeing, ports).catch(async (error) => {
    await loading
    throw error
  })
  const hold = () => holdStack(order.stack.id, seen, id, ports)
  // Acquire the lease in parallel with the reads of the host, which take as long.
  const early = started(mayBeDone(order) ? undefined : hold())
  let held: Hold | undefined
  try {
    const ready = refuseDrift(await makeReady(order, ports, loading))
    if (isAsItShouldBe(ready)) {
      await claimAll(await ready.ownThings(), order.stack.id, ports)
      return await nothingToDo(newDeployment(id, ready, by, ports), ready, ports, onEnd)
    }
    held = await (early ?? hold())
    const certain = refuseDrift(await underLease(ready, held, ports))
    await checkUnderLease(certain, ports)
    const { fence } = held.lease
    const deployment = { ...newDeployment(id, certain, by, ports), fence }
    await ports.deployments.create(deployment)
    return { deployment, ...goOn(deployment, certain, held.lease, ports, onEnd) }
  } catch (error) {
    held ??= await early?.catch(() => undefined)
    if (held) giveBack(held.lease, ports)
    throw error
  }
}

/** The lease of a stack. */
interface Hold {
  lease: Lease
  /** The stack as read under the lease. */
  stack: Stored<StackRecord>
  /** Nothing else held the lease since it was seen free. */
  undisturbed: boolean
}

async function holdStack(
  name: string,
  seen: LeaseSnapshot,
  id: string,
  ports: RunPorts,
): Promise<Hold> {
  const holder = holderOf(ports.background.processId, id)
  const reading = started(getStack(name, ports))
  const next = await takeFree(seen, holder, ports)
  const lease = next ?? (await getStackLease(name, holder, ports))
  try {
    const stack = await (next ? reading : getStack(name, ports))
    const latest = await withLatestFence(lease, stack.fence, ports)
    return { lease: latest, stack, undisturbed: next !== undefined }
  } catch (error) {
    giveBack(lease, ports)
    throw error
  }
}

/**
 * Releases a lease in the background: later requests of this process come after it, and the lease
 * also expires on its own.
 */
function giveBack(lease: Lease, { leases }: RunPorts): void {
  ignoreResult(leases.release(lease))
}

/**
 * Returns the prepared order if nothing else held the lease and the stack is unchanged; otherwise
 * prepares it again.
 *
 * @throws 409 if that took so long that another order acquired the lease
 */
async function underLease(ready: ReadyOrder, held: Hold, ports: RunPorts) {
  const { order } = ready
  const { lease, stack, undisturbed } = held
  if (undisturbed && stack.revision === order.stack.revision) return ready
  const files = order.files === order.stack.files ? stack.files : order.files
  const again = await makeReady({ ...order, stack, files }, ports)
  const renewed = await getStackLease(stack.id, lease.holder, ports)
  if (renewed.fence === lease.fence) return again
  giveBack(renewed, ports)
  throw conflict(`stack ${stack.id}: another operation was faster, try again`)
}

/** Returns false if the stack's record shows that the order has something to do. */
function mayBeDone({ kind, stack, files, environment }: Order): boolean {
  if (kind !== 'deploy') return false
  const known = stack.deployed && stack.last?.status === 'succeeded' && stack.deployedAt !== null
  const written = JSON.stringify(stack.written) === JSON.stringify(files)
  return known && written && stack.environment === environment && isEmpty(stack.keptVolumes)
}

/** Returns whether a deploy has nothing to do and the stack's record is up to date. */
function isAsItShouldBe(ready: ReadyOrder): boolean {
  const { order, plan, first, project } = ready
  if (!mayBeDone(order) || !project || plan.steps.length > 0 || first.steps.length > 0) return false
  const { services, images } = order.stack
  const isRecorded = JSON.stringify(expectations(project)) === JSON.stringify(services)
  return isRecorded && sameImages(ready.images, images)
}

function sameImages(decided: Record<string, string> | null, recorded: StackRecord['images']) {
  if (!decided || !recorded) return false
  const names = Object.keys(decided)
  return (
    names.length === Object.keys(recorded).length &&
    names.every((name) => decided[name] === recorded[name])
  )
}

const isEmpty = (record: object) => Object.keys(record).length === 0

/**
 * Records a deployment that succeeded without steps, in one write. The stack's record stays as it
 * is because nothing was deployed.
 */
async function nothingToDo(
  begun: Deployment,
  ready: ReadyOrder,
  ports: RunPorts,
  onEnd: Beside['onEnd'],
): Promise<Run> {
  const { project, resolved } = ready
  const deployment: Deployment = {
    ...begun,
    status: 'succeeded',
    finishedAt: begun.startedAt,
    images: project && resolved ? imagesOf(project, resolved) : {},
    warnings: warningsOf(ready.warnings, ready.plan.warnings),
  }
  onEnd?.(deployment)
  await ports.deployments.create(deployment)
  return {
    deployment,
    marked: async () => {},
    acted: Promise.resolve(),
    done: Promise.resolve(deployment),
    stack: Promise.resolve(ready.order.stack),
  }
}

function newDeployment(id: string, ready: ReadyOrder, by: string, ports: RunPorts): Deployment {
  const { kind, stack, environment, files, options, reach } = ready.order
  const contentRevision = stack.contentRevision + (kind === 'rollback' ? 1 : 0)
  return {
    id,
    kind,
    stack: stack.id,
    hostId: stack.hostId,
    environment,
    contentRevision,
    files,
    options,
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by,
    reach,
    steps: firstPlan(ready).steps.map(pending),
    images: {},
    warnings: warningsOf(ready.warnings),
  }
}
