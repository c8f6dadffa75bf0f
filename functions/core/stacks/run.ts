import { Failure } from '../errors.ts'
import type { Lease, Needs, Stored } from '../ports.ts'
import { type Execution, execute } from './execute.ts'
import { getStackLease, whileHeld } from './lease.ts'
import { changeStack } from './locate.ts'
import { makeReady, type Order, type ReadyOrder } from './order.ts'
import { recordProgress } from './progress.ts'
import { wantedContainers } from './project.ts'
import type { Deployment, DeploymentStatus, StackRecord, StepReport } from './stack.ts'
import { hostFiles } from './texts.ts'

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
      const ended = await whileHeld(lease, signal, ports, async (held) => {
        const execution = await carryOut(deployment, ready, held, ports)
        return close(deployment, ready, held.aborted ? cutShort(execution) : execution, ports)
      }).catch((error) => {
        ports.log.error('a deployment could not be recorded', { deployment: deployment.id, error })
        return { ...deployment, ...failure(error) }
      })
      resolve(ended)
    })
  })
}

const failure = (error: unknown) => ({
  status: 'failed' as const,
  error: error instanceof Failure ? error.message : 'the service failed to record the deployment',
})

/** What was not done when the service shut down stays undone, and says so. */
function cutShort(execution: Execution): Execution & { status: DeploymentStatus } {
  if (execution.status === 'succeeded') return execution
  const error = 'the service was shut down in the middle of it'
  return { ...execution, status: 'interrupted', error }
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
    steps: ready.steps.map(pending),
    images: {},
  }
}

/** A step of a plan, not begun. */
export function pending(step: Pick<StepReport, 'action' | 'kind' | 'name' | 'reason'>): StepReport {
  const { action, kind, name, reason } = step
  return { action, kind, name, reason, status: 'pending', ms: null }
}

function markBegun(deployment: Deployment, { order, project }: ReadyOrder, ports: RunPorts) {
  return changeStack(
    deployment.stack,
    (stack) => ({
      last: { deploymentId: deployment.id, status: 'running' },
      deployed: deployment.kind === 'deploy' ? true : stack.deployed,
      environment: deployment.kind === 'deploy' ? order.environment : stack.environment,
      services: project ? wantedContainers(project) : stack.services,
    }),
    ports,
  )
}

/** Executes the plan; the files step is done here, because only here the texts are known. */
async function carryOut(
  deployment: Deployment,
  ready: ReadyOrder,
  signal: AbortSignal,
  ports: RunPorts,
): Promise<Execution> {
  const { engine, texts, order } = ready
  const progress = recordProgress(deployment, ports)
  const before = deployment.steps.length - ready.steps.length
  const execution = await execute(
    ready.steps,
    {
      execute: async (step, stop) => {
        if (step.action !== 'write') return engine.execute(step, stop)
        await engine.writeFiles(order.stack.directory, texts ? hostFiles(texts) : [])
        return {}
      },
    },
    {
      signal,
      clock: ports.clock,
      onStep: (index, report) => progress.changed(before + index, report),
    },
  )
  await progress.stop()
  return execution
}

async function close(
  deployment: Deployment,
  ready: ReadyOrder,
  execution: Execution & { status: DeploymentStatus },
  ports: RunPorts,
): Promise<Deployment> {
  const finishedAt = ports.clock.now()
  const before = deployment.steps.slice(0, deployment.steps.length - ready.steps.length)
  const ended: Deployment = {
    ...deployment,
    status: execution.status,
    error: execution.error,
    finishedAt,
    steps: [...before, ...execution.steps],
    images: ready.project ? await imagesOf(ready) : {},
  }
  await Promise.all([
    ports.deployments.save(ended),
    changeStack(deployment.stack, (stack) => outcome(stack, ended, execution), ports),
  ])
  return ended
}

/** What a deployment's end changes in its stack. */
function outcome(
  stack: StackRecord | Stored<StackRecord>,
  ended: Deployment,
  execution: Pick<Execution, 'steps'>,
): Partial<StackRecord> {
  const good = ended.status === 'succeeded'
  const wrote = execution.steps.some((step) => step.action === 'write' && step.status === 'done')
  return {
    last: { deploymentId: ended.id, status: ended.status },
    written: wrote ? ended.files : stack.written,
    keptVolumes: keptAfter(stack, ended, ready),
    deployed: ended.kind === 'stop' && good ? false : stack.deployed,
    deployedAt: ended.kind === 'deploy' && good ? ended.finishedAt : stack.deployedAt,
  }
}

async function imagesOf({ engine, project }: ReadyOrder): Promise<Record<string, string>> {
  const services = Object.entries(project?.services ?? {})
  const images = services.flatMap(([, service]) => (service.image ? [service.image] : []))
  const found = await engine
    .resolve({ networks: [], volumes: [], images })
    .catch(() => ({ images: {} as Record<string, { id: string; digests: string[] }> }))
  const entries = services.flatMap(([name, service]) => {
    const image = service.image ? found.images[service.image] : undefined
    return image ? [[name, image.digests[0] ?? image.id] as const] : []
  })
  return Object.fromEntries(entries)
}
