import { imagesOf } from '../compose/plan/wanted.ts'
import { conflict } from '../errors.ts'
import type { Lease } from '../leases.ts'
import { firstPlan } from './carry-out.ts'
import { refuseDrift } from './drift.ts'
import { pending } from './execute.ts'
import { getStackLease, nextFence } from './lease.ts'
import { getStack } from './locate.ts'
import { loadOrder, makeReady, type Order, type ReadyOrder } from './order.ts'
import { expectations } from './project.ts'
import { goOn, type RunPorts } from './run.ts'
import type { Deployment } from './stack.ts'
import { warningsOf } from './warnings.ts'

/** A deployment that has begun. `done` resolves with how it ended, also when it failed. */
export interface Run {
  deployment: Deployment
  done: Promise<Deployment>
}

/**
 * Makes an order ready, records it and carries it out, going on when the caller has left. Throws a `Failure` before
 * anything happened: 409 while another order of the stack is carried out, and what `makeReady` throws.
 */
export async function beginDeployment(order: Order, by: string, ports: RunPorts): Promise<Run> {
  const { ready, fence } = await look(order, ports)
  refuseDrift(ready)
  const id = ports.random.id()
  if (isAsItShouldBe(ready)) return nothingToDo(newDeployment(id, ready, by, ports), ready, ports)
  const holder = `${ports.background.processId}/${id}`
  const lease = await getStackLease(order.stack.id, holder, ports)
  try {
    const certain = refuseDrift(await underLease(ready, lease, fence, ports))
    const deployment = newDeployment(id, certain, by, ports)
    await ports.deployments.create(deployment)
    return { deployment, done: goOn(deployment, certain, lease, ports) }
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/**
 * Makes the order ready while nobody has the stack, and gives the fence of who has it next: then nothing changed since.
 * What is wrong with the texts is said before what is in the way.
 */
async function look(order: Order, ports: RunPorts) {
  const loading = loadOrder(order, ports)
  loading.catch(() => {})
  const fence = await nextFence(order.stack.id, ports).catch(async (error) => {
    await loading
    throw error
  })
  return { fence, ready: await makeReady(order, ports, loading) }
}

/**
 * What was made ready still holds when nobody had the stack and nobody changed it; else it is made ready again. Throws a
 * `Failure` 409 when that took so long that somebody else had it.
 */
async function underLease(ready: ReadyOrder, lease: Lease, fence: number, ports: RunPorts) {
  const { order } = ready
  const stack = await getStack(order.stack.id, ports)
  if (lease.fence === fence && stack.revision === order.stack.revision) return ready
  const files = order.files === order.stack.files ? stack.files : order.files
  const again = await makeReady({ ...order, stack, files }, ports)
  const renewed = await getStackLease(stack.id, lease.holder, ports)
  if (renewed.fence === lease.fence) return again
  await ports.leases.release(renewed)
  throw conflict(`stack ${stack.id}: another order was faster, try again`)
}

/** A deploy that would do nothing, of a stack whose record says the same already. */
function isAsItShouldBe({ order, plan, first, project }: ReadyOrder): boolean {
  const { kind, stack, environment } = order
  if (kind !== 'deploy' || !project || plan.steps.length > 0 || first.steps.length > 0) return false
  const known = stack.deployed && stack.last?.status === 'succeeded' && stack.deployedAt !== null
  const same = JSON.stringify(expectations(project)) === JSON.stringify(stack.services)
  return known && same && stack.environment === environment && isEmpty(stack.keptVolumes)
}

const isEmpty = (record: object) => Object.keys(record).length === 0

/** It is recorded as done, in one write. The stack's record stays as it is: nothing was deployed. */
async function nothingToDo(begun: Deployment, ready: ReadyOrder, ports: RunPorts): Promise<Run> {
  const { project, resolved } = ready
  const deployment: Deployment = {
    ...begun,
    status: 'succeeded',
    finishedAt: begun.startedAt,
    images: project && resolved ? imagesOf(project, resolved) : {},
    warnings: warningsOf(ready.warnings, ready.plan.warnings),
  }
  await ports.deployments.create(deployment)
  return { deployment, done: Promise.resolve(deployment) }
}

function newDeployment(id: string, ready: ReadyOrder, by: string, ports: RunPorts): Deployment {
  const { kind, stack, environment, files, options } = ready.order
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
    steps: firstPlan(ready).steps.map(pending),
    images: {},
    warnings: warningsOf(ready.warnings),
  }
}
