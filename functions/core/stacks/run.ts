import { keepVolumes, imagesOf as serviceImages, wanted } from '../compose/plan/wanted.ts'
import { recordWritable } from '../compose/policy/writable-paths.ts'
import { wordsOf } from '../errors.ts'
import { changeNames } from '../images/name-changes.ts'
import { type HeldLease, LostLease, withLeaseRenewal } from '../lease-renewal.ts'
import type { Lease } from '../leases.ts'
import type { Needs } from '../ports.ts'
import { started } from '../promises.ts'
import { type Begun, carryOut } from './carry-out.ts'
import { forgetStack } from './forget.ts'
import { imageUser, type ReadyOrder } from './order.ts'
import { expectations } from './project.ts'
import { recordStack } from './record-stack.ts'
import { writtenBy } from './refuse-links.ts'
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
  | 'owners'
  | 'random'
  | 'registries'
  | 'settings'
  | 'stacks'
  | 'texts'
>

/** A running deployment. */
export interface Going {
  /**
   * Writes to the stack's record that the deployment runs, and resolves when it is written. Never
   * rejects. Without a call it is written a moment later.
   */
  marked(): Promise<void>
  /** Resolves when the deployment makes no more changes on the host. */
  acted: Promise<void>
  /**
   * Resolves with the ended deployment once that is recorded or recording it has failed. Never
   * rejects.
   */
  done: Promise<Deployment>
  /**
   * Resolves with the stack as recorded at the end, or undefined if that failed or the stack was
   * deleted.
   */
  stack: Promise<StackRecord | undefined>
}

/**
 * Runs a recorded deployment under its lease. `onEnd` is called with the result before it is saved.
 */
export function goOn(
  deployment: Deployment,
  ready: ReadyOrder,
  lease: Lease,
  ports: RunPorts,
  onEnd?: (ended: Deployment) => void,
): Going {
  const record = recordStack(ready.order.stack, lease.fence, ports)
  const begun = { deployment: { ...deployment, fence: lease.fence }, ready, record }
  let acted = () => {}
  const acting = new Promise<void>((resolve) => {
    acted = resolve
  })
  const ending = new Promise<End>((resolve) => {
    ports.background.run(`${deployment.kind} ${deployment.stack}`, async (signal) => {
      const end = await withLeaseRenewal(lease, signal, ports, async (held) => {
        const reached = await carried(begun, held, { acted, onEnd }, ports)
        acted()
        // Resolve before the lease is released: callers that find it held by an ended deployment
        // retry. Not for a deleted stack, of which no record is left that says so.
        if (!isForgotten(reached.ended)) resolve(reached)
        return reached
      })
      resolve(end)
    })
  })
  return {
    marked: begun.record.settled,
    acted: acting,
    done: ending.then(({ ended }) => ended),
    stack: ending.then(({ stack }) => stack),
  }
}

/** The time for deleting a stack: its files, its record and its deployments. Milliseconds. */
const forgetTime = 5_000

interface End {
  ended: Deployment
  stack: StackRecord | undefined
}

interface Told {
  acted(): void
  onEnd?(ended: Deployment): void
}

/**
 * Runs a deployment and records the result. The deployment itself is saved last: while it is
 * recorded as running, recovery can complete what is missing. Never throws.
 */
async function carried(
  begun: Begun,
  held: HeldLease,
  { acted, onEnd }: Told,
  ports: RunPorts,
): Promise<End> {
  const { deployment } = begun
  try {
    const end = await work(begun, held, acted, ports)
    onEnd?.(end.ended)
    if (isForgotten(end.ended)) return end
    if (!(await ports.deployments.save(end.ended))) return await takenOver(deployment, ports)
    return end
  } catch (error) {
    if (error instanceof LostLease) return takenOver(deployment, ports)
    ports.log.error('a deployment could not be recorded', { deployment: deployment.id, error })
    const ended = { ...deployment, status: 'failed' as const, error: reasonOf(error) }
    return { ended, stack: undefined }
  }
}

/** Returns the result recorded by another process, which took over this deployment. */
async function takenOver(deployment: Deployment, ports: RunPorts): Promise<End> {
  ports.log.warn('another process took over a deployment', { deployment: deployment.id })
  const known = await ports.deployments.find(deployment.stack, deployment.id).catch(() => undefined)
  const interrupted = { status: 'interrupted' as const, error: new LostLease().message }
  const ended = known ?? { ...deployment, ...interrupted, finishedAt: ports.clock.now() }
  return { ended, stack: undefined }
}

/** Runs the steps and records the result in the stack. */
async function work(
  begun: Begun,
  held: HeldLease,
  acted: () => void,
  ports: RunPorts,
): Promise<End> {
  const { deployment, ready, record } = begun
  record.put((stack) => beginning(stack, deployment, ready))
  const looking = started(imagesBefore(ready))
  const execution = await carryOut(begun, held, ports)
  acted()
  const finishedAt = ports.clock.now()
  const { status, error, steps } = execution
  if (isForgotten({ kind: deployment.kind, status })) {
    await record.settled()
    await held.ensure(forgetTime)
    await forgetStack(ready.order.stack, ports)
    return { ended: { ...deployment, status, error, steps, finishedAt }, stack: undefined }
  }
  if (status === 'succeeded') await changeNames(ready.names, imageUser(ready.order), ports)
  const images = (await looking) ?? (await imagesOf(ready, steps))
  const warnings = warningsOf(ready.warnings, execution.warnings)
  const ended = { ...deployment, status, error, steps, finishedAt, images, warnings }
  return { ended, stack: await record.change((stack) => outcome(stack, ended, ready)) }
}

const isForgotten = ({ kind, status }: Pick<Deployment, 'kind' | 'status'>) =>
  kind === 'remove' && status === 'succeeded'

const reasonOf = (error: unknown) => wordsOf(error, 'the service failed to record the deployment')

/** Returns the changes of the stack's record when a deployment begins. */
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
  // A resumed rollback has already brought the files back.
  const back = kind === 'rollback' && stack.last?.deploymentId !== id
  return {
    ...{ last, deployed: true, environment, services: expectations(project) },
    ...(ready.images ? { images: ready.images } : {}),
    writable: recordWritable(stack.writable, project, writtenBy(ready.snapshot.containers)),
    ...(back ? broughtBack(stack, deployment) : {}),
  }
}

/**
 * Returns the changes that make the files of an earlier deployment the newest revision of the
 * stack.
 */
function broughtBack(stack: StackRecord, { files, startedAt }: Deployment): Partial<StackRecord> {
  return { files, contentRevision: stack.contentRevision + 1, updatedAt: startedAt }
}

/** Returns the changes of the stack's record when a deployment ends. */
function outcome(stack: StackRecord, ended: Deployment, ready: ReadyOrder): Partial<StackRecord> {
  const good = ended.status === 'succeeded'
  const wrote = ended.steps.some((step) => step.action === 'write' && step.status === 'done')
  return {
    last: { deploymentId: ended.id, status: ended.status },
    written: wrote ? ended.files : stack.written,
    keptVolumes: keptAfter(stack, ended, ready),
    deployed: ended.kind === 'stop' && good ? false : stack.deployed,
    // No container is left that can write, and the next deploy finds existing links.
    writable: ended.kind === 'stop' && good ? [] : stack.writable,
    deployedAt: bringsUp(ended.kind) && good ? ended.finishedAt : stack.deployedAt,
  }
}

/**
 * Returns the anonymous volumes to record. Those of containers that a stop removed are kept for the
 * next deploy, which takes them over.
 */
function keptAfter(stack: StackRecord, { kind, status }: Deployment, { snapshot }: ReadyOrder) {
  if (kind === 'stop') return keepVolumes(stack.keptVolumes, snapshot)
  return bringsUp(kind) && status === 'succeeded' ? {} : stack.keptVolumes
}

/**
 * Returns the images that a deployment runs, looked up in parallel with it, or undefined if its
 * steps change them. For an order other than a deploy or rollback these are the images of its
 * containers.
 */
async function imagesBefore(ready: ReadyOrder) {
  if (!bringsUp(ready.order.kind)) return imagesOfContainers(ready)
  const fetches = [...ready.first.steps, ...ready.plan.steps].some(({ kind }) => kind === 'image')
  return fetches ? undefined : imagesOf(ready, [])
}

const imagesOfContainers = ({ snapshot }: ReadyOrder): Record<string, string> =>
  Object.fromEntries(
    snapshot.containers
      .filter(({ oneoff }) => !oneoff)
      .map(({ service, imageId }) => [service, imageId]),
  )

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
