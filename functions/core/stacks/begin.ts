import { imagesOf } from '../compose/plan/wanted.ts'
import type { Lease } from '../ports.ts'
import { firstPlan, pending } from './carry-out.ts'
import { refuseDrift } from './drift.ts'
import { getStackLease } from './lease.ts'
import { changeStack, getStack } from './locate.ts'
import { loadOrder, makeReady, type Order, type ReadyOrder } from './order.ts'
import { beginning, goOn, outcome, type RunPorts } from './run.ts'
import type { Deployment } from './stack.ts'

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
  const id = ports.random.id()
  const loading = loadOrder(order, ports)
  const leasing = getStackLease(order.stack.id, `${ports.background.processId}/${id}`, ports)
  // What is wrong with the texts is said before what is in the way.
  const [loaded, leased] = await Promise.allSettled([loading, leasing])
  if (leased.status === 'rejected')
    throw loaded.status === 'rejected' ? loaded.reason : leased.reason
  const lease = leased.value
  try {
    const ready = refuseDrift(await makeReadyNow(order, loading, ports))
    const deployment = newDeployment(id, ready, by, ports.clock.now())
    if (firstPlan(ready).steps.length === 0)
      return await nothingToDo(deployment, ready, lease, ports)
    await ports.deployments.create(deployment)
    return { deployment, done: goOn(deployment, ready, lease, ports) }
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/** Under the lease: what another order changed of the stack since it was read counts. */
async function makeReadyNow(
  order: Order,
  loading: ReturnType<typeof loadOrder>,
  ports: RunPorts,
): Promise<ReadyOrder> {
  const stack = await getStack(order.stack.id, ports)
  if (stack.revision === order.stack.revision) return makeReady(order, ports, loading)
  const files = order.files === order.stack.files ? stack.files : order.files
  return makeReady({ ...order, stack, files }, ports)
}

/** All is as it should be: that is recorded at once, and the lease given back. */
async function nothingToDo(
  begun: Deployment,
  ready: ReadyOrder,
  lease: Lease,
  ports: RunPorts,
): Promise<Run> {
  const { stack } = ready.order
  const deployment: Deployment = {
    ...begun,
    status: 'succeeded',
    finishedAt: begun.startedAt,
    images: ready.project && ready.resolved ? imagesOf(ready.project, ready.resolved) : {},
  }
  const change = () => ({ ...beginning(deployment, ready), ...outcome(stack, deployment, ready) })
  await Promise.all([
    ports.deployments.create(deployment),
    changeStack(stack.id, change, ports, stack),
    ports.leases.release(lease),
  ])
  return { deployment, done: Promise.resolve(deployment) }
}

function newDeployment(id: string, ready: ReadyOrder, by: string, now: number): Deployment {
  const { kind, stack, environment, files, options } = ready.order
  return {
    id,
    kind,
    stack: stack.id,
    hostId: stack.hostId,
    environment,
    contentRevision: stack.contentRevision,
    files,
    options,
    status: 'running',
    error: null,
    startedAt: now,
    finishedAt: null,
    by,
    steps: firstPlan(ready).steps.map(pending),
    images: {},
  }
}
