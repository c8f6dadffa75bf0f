import { keepVolumes, imagesOf as serviceImages, wanted } from '../compose/plan/wanted.ts'
import { Failure } from '../errors.ts'
import type { Lease, Needs } from '../ports.ts'
import { carryOut, firstPlan, pending } from './carry-out.ts'
import type { Execution } from './execute.ts'
import { getStackLease, whileHeld } from './lease.ts'
import { changeStack } from './locate.ts'
import { makeReady, type Order, type ReadyOrder } from './order.ts'
import { expectations } from './project.ts'
import type { Deployment, StackRecord } from './stack.ts'

export type RunPorts = Needs<
  | 'background'
  | 'clock'
  | 'composer'
  | 'deployments'
  | 'engines'
  | 'leases'
  | 'log'
  | 'random'
  | 'stacks'
  | 'texts'
>

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
  const lease = await getStackLease(order.stack.id, `${ports.background.processId}/${id}`, ports)
  try {
    const ready = await makeReady(order, ports)
    const deployment = newDeployment(id, ready, by, ports.clock.now())
    await Promise.all([ports.deployments.create(deployment), markBegun(deployment, ready, ports)])
    return { deployment, done: goOn(deployment, ready, lease, ports) }
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/** Carries out a deployment that is recorded, under its lease. Never rejects. */
export function goOn(
  deployment: Deployment,
  ready: ReadyOrder,
  lease: Lease,
  ports: RunPorts,
): Promise<Deployment> {
  return new Promise((resolve) => {
    ports.background.run(`${deployment.kind} ${deployment.stack}`, async (signal) => {
      const work = async (held: AbortSignal) =>
        close(deployment, ready, await carryOut(deployment, ready, held, ports), ports)
      resolve(
        await whileHeld(lease, signal, ports, work).catch((error) => {
          ports.log.error('a deployment could not be recorded', {
            deployment: deployment.id,
            error,
          })
          return { ...deployment, status: 'failed' as const, error: reasonOf(error) }
        }),
      )
    })
  })
}

const reasonOf = (error: unknown) =>
  error instanceof Failure ? error.message : 'the service failed to record the deployment'

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

function markBegun({ id, kind, stack: name }: Deployment, ready: ReadyOrder, ports: RunPorts) {
  const { order, project } = ready
  const last = { deploymentId: id, status: 'running' as const }
  if (kind !== 'deploy') return changeStack(name, () => ({ last }), ports)
  const { environment } = order
  const services = project ? expectations(project) : undefined
  return changeStack(
    name,
    (stack) => ({ last, deployed: true, environment, services: services ?? stack.services }),
    ports,
  )
}

async function close(
  deployment: Deployment,
  ready: ReadyOrder,
  execution: Execution,
  ports: RunPorts,
): Promise<Deployment> {
  const { status, error, steps } = execution
  const finishedAt = ports.clock.now()
  const images = await imagesOf(ready)
  const ended: Deployment = { ...deployment, status, error, finishedAt, steps, images }
  await Promise.all([
    ports.deployments.save(ended),
    changeStack(deployment.stack, (stack) => outcome(stack, ended, ready), ports),
  ])
  return ended
}

/** What a deployment's end changes in its stack. */
function outcome(stack: StackRecord, ended: Deployment, ready: ReadyOrder): Partial<StackRecord> {
  const good = ended.status === 'succeeded'
  const wrote = ended.steps.some((step) => step.action === 'write' && step.status === 'done')
  return {
    last: { deploymentId: ended.id, status: ended.status },
    written: wrote ? ended.files : stack.written,
    keptVolumes: keptAfter(stack, ended, ready),
    deployed: ended.kind === 'stop' && good ? false : stack.deployed,
    deployedAt: ended.kind === 'deploy' && good ? ended.finishedAt : stack.deployedAt,
  }
}

/** Anonymous volumes that a stop left without a container wait for the next deploy, which takes them over. */
function keptAfter(stack: StackRecord, { kind, status }: Deployment, { snapshot }: ReadyOrder) {
  if (kind === 'stop') return keepVolumes(stack.keptVolumes, snapshot)
  return kind === 'deploy' && status === 'succeeded' ? {} : stack.keptVolumes
}

async function imagesOf({ engine, project }: ReadyOrder): Promise<Record<string, string>> {
  if (!project) return {}
  const { images } = wanted(project)
  const found = await engine.resolve({ networks: [], volumes: [], images }).catch(() => undefined)
  return found ? serviceImages(project, found) : {}
}
