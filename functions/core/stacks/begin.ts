import { imagesOf } from '../compose/plan/wanted.ts'
import { conflict } from '../errors.ts'
import type { Lease } from '../ports.ts'
import { firstPlan, pending } from './carry-out.ts'
import { getStackLease } from './lease.ts'
import { changeStack, getStack } from './locate.ts'
import { loadOrder, makeReady, type Order, type ReadyOrder } from './order.ts'
import { beginning, goOn, outcome, type RunPorts } from './run.ts'
import type { Deployment, StackRecord } from './stack.ts'

/** A deployment that has begun. `done` resolves with how it ended, also when it failed. */
export interface Run {
  deployment: Deployment
  done: Promise<Deployment>
}

/** A lease that has less than this left when everything is ready has to be renewed first. Milliseconds. */
const leaseLeftMin = 5_000

/**
 * Makes an order ready, records it and carries it out, going on when the caller has left. Throws a `Failure` before
 * anything happened: 409 while another order of the stack is carried out, and what `makeReady` throws.
 */
export async function beginDeployment(order: Order, by: string, ports: RunPorts): Promise<Run> {
  const id = ports.random.id()
  const holder = `${ports.background.processId}/${id}`
  const loading = loadOrder(order, ports)
  const leasing = getStackLease(order.stack.id, holder, ports)
  // What is wrong with the texts is said before what is in the way.
  const [loaded, leased] = await Promise.allSettled([loading, leasing])
  if (leased.status === 'rejected')
    throw loaded.status === 'rejected' ? loaded.reason : leased.reason
  let lease = leased.value
  try {
    const ready = await makeReadyNow(order, loading, ports)
    if (lease.expiresAt - ports.clock.now() < leaseLeftMin)
      lease = await renewed(order.stack.id, lease, ports)
    const deployment = newDeployment(id, ready, by, ports.clock.now())
    // A removal has something to do even where nothing runs: the stack is to be forgotten.
    if (order.kind !== 'remove' && firstPlan(ready).steps.length === 0)
      return await nothingToDo(deployment, ready, lease, ports)
    await ports.deployments.create(deployment)
    return { deployment, done: goOn(deployment, ready, lease, ports) }
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/** Nobody renewed it meanwhile. Throws a `Failure` 409 when it ran out and somebody else had it since. */
async function renewed(name: string, lease: Lease, ports: RunPorts): Promise<Lease> {
  const now = await getStackLease(name, lease.holder, ports)
  if (now.fence === lease.fence) return now
  await ports.leases.release(now)
  throw conflict(`stack ${name}: another order was faster, try again`)
}

/** Under the lease: what another order changed of the stack since it was read counts. */
async function makeReadyNow(
  order: Order,
  loading: ReturnType<typeof loadOrder>,
  ports: RunPorts,
): Promise<ReadyOrder> {
  const making = makeReady(order, ports, loading)
  making.catch(() => {})
  const stack = await getStack(order.stack.id, ports)
  if (stack.revision === order.stack.revision) return making
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
  const change = (now: StackRecord) =>
    // The lease is given back at the same time: another order may have begun, and knows better.
    now.last?.deploymentId === stack.last?.deploymentId
      ? { ...beginning(deployment, ready), ...outcome(now, deployment, ready) }
      : {}
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
