import { keepVolumes, imagesOf as serviceImages, wanted } from '../compose/plan/wanted.ts'
import { Failure } from '../errors.ts'
import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { carryOut } from './carry-out.ts'
import type { Execution } from './execute.ts'
import { forgetStack } from './forget.ts'
import { whileHeld } from './lease.ts'
import { changeStack } from './locate.ts'
import type { ReadyOrder } from './order.ts'
import { expectations } from './project.ts'
import { bringsUp, type Deployment, type StackRecord, type StepReport } from './stack.ts'
import { warningsOf } from './warnings.ts'

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

/** Carries out a deployment that is recorded, under its lease. Never rejects. */
export function goOn(
  deployment: Deployment,
  ready: ReadyOrder,
  lease: Lease,
  ports: RunPorts,
): Promise<Deployment> {
  const work = async (held: AbortSignal) => {
    const marking = markBegun(deployment, ready, ports)
    const execution = await carryOut(deployment, ready, held, ports)
    await marking
    if (deployment.kind !== 'remove' || execution.status !== 'succeeded') {
      return close(deployment, ready, execution, ports)
    }
    await forgetStack(ready.order.stack, ports)
    return { ...deployment, ...execution, finishedAt: ports.clock.now() }
  }
  return new Promise((resolve) => {
    ports.background.run(`${deployment.kind} ${deployment.stack}`, async (signal) => {
      const ended = await whileHeld(lease, signal, ports, work).catch((error) => {
        ports.log.error('a deployment could not be recorded', { deployment: deployment.id, error })
        return { ...deployment, status: 'failed' as const, error: reasonOf(error) }
      })
      resolve(ended)
    })
  })
}

const reasonOf = (error: unknown) =>
  error instanceof Failure ? error.message : 'the service failed to record the deployment'

/** Never rejects: work that has begun goes on, and its end is recorded in the same place. */
async function markBegun(deployment: Deployment, ready: ReadyOrder, ports: RunPorts) {
  const change = (stack: StackRecord) => beginning(stack, deployment, ready)
  await changeStack(deployment.stack, change, ports, ready.order.stack).catch((error) => {
    ports.log.warn('the beginning of a deployment could not be recorded', { error })
  })
}

/** What a deployment's beginning changes in its stack. */
function beginning(
  stack: StackRecord,
  deployment: Deployment,
  ready: ReadyOrder,
): Partial<StackRecord> {
  const { id, kind, status } = deployment
  const { order, project } = ready
  const last = { deploymentId: id, status }
  if (!bringsUp(kind) || !project) return { last }
  const { environment } = order
  // One that goes on after its process died has brought the files back already.
  const back = kind === 'rollback' && stack.last?.deploymentId !== id
  return {
    ...{ last, deployed: true, environment, services: expectations(project) },
    ...(back ? broughtBack(stack, deployment) : {}),
  }
}

/** The files of an earlier deployment are the stack's again, as its newest revision. */
function broughtBack(stack: StackRecord, { files, startedAt }: Deployment): Partial<StackRecord> {
  return { files, contentRevision: stack.contentRevision + 1, updatedAt: startedAt }
}

async function close(
  deployment: Deployment,
  ready: ReadyOrder,
  execution: Execution,
  ports: RunPorts,
): Promise<Deployment> {
  const { status, error, steps } = execution
  const finishedAt = ports.clock.now()
  const images = await imagesOf(ready, steps)
  const warnings = warningsOf(ready.warnings, execution.warnings)
  const ended: Deployment = { ...deployment, status, error, finishedAt, steps, images, warnings }
  // The deployment last: as long as it is recorded as running, recovery makes good what is missing.
  await changeStack(deployment.stack, (stack) => outcome(stack, ended, ready), ports)
  await ports.deployments.save(ended)
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
    deployedAt: bringsUp(ended.kind) && good ? ended.finishedAt : stack.deployedAt,
  }
}

/** Anonymous volumes that a stop left without a container wait for the next deploy, which takes them over. */
function keptAfter(stack: StackRecord, { kind, status }: Deployment, { snapshot }: ReadyOrder) {
  if (kind === 'stop') return keepVolumes(stack.keptVolumes, snapshot)
  return bringsUp(kind) && status === 'succeeded' ? {} : stack.keptVolumes
}

async function imagesOf(
  { engine, project, resolved }: ReadyOrder,
  steps: readonly StepReport[],
): Promise<Record<string, string>> {
  if (!project) return {}
  if (resolved && !steps.some(({ kind }) => kind === 'image'))
    return serviceImages(project, resolved)
  const { images } = wanted(project)
  const found = await engine.resolve({ networks: [], volumes: [], images }).catch(() => undefined)
  return found ? serviceImages(project, found) : {}
}
