import type { Plan } from '../compose/plan/draft.ts'
import { stepTitle } from '../compose/plan/plan-text.ts'
import type { Step } from '../compose/step.ts'
import { Failure, wordsOf } from '../errors.ts'
import { type FetchedImage, fetchImage } from '../images/fetch-image.ts'
import type { NamingPorts } from '../images/name-image.ts'
import type { HeldLease } from '../lease-renewal.ts'
import { recordStep } from '../owners/record-step.ts'
import type { Needs } from '../ports.ts'
import { imageName } from '../registries/image-name.ts'
import { type Execution, execute, pending, type StepEngine } from './execute.ts'
import { imageUser, type ReadyOrder } from './order.ts'
import { recordProgress } from './progress.ts'
import type { StackRecorder } from './record-stack.ts'
import type { Deployment, StackRecord, StepReport } from './stack.ts'

/**
 * The time that must be left on the lease when a call to the Engine begins: the deadline of a short
 * call. A longer call is aborted when the lease is lost. Milliseconds.
 */
const callTime = 5_000

type CarryOutPorts = NamingPorts & Needs<'registries' | 'settings'>

/** A recorded deployment that is ready to run. */
export interface Begun {
  deployment: Deployment
  ready: ReadyOrder
  record: StackRecorder
}

/**
 * Runs an order and records the progress of each step. Pulls and builds that the plan depends on
 * run first; the rest is planned after them. Never throws.
 */
export async function carryOut(
  begun: Begun,
  held: HeldLease,
  ports: CarryOutPorts,
): Promise<Execution> {
  const { deployment, ready } = begun
  const progress = recordProgress(deployment, ports)
  const warnings: string[] = []
  const run = async (plan: Plan, before: StepReport[]): Promise<Execution> => {
    const reports: StepReport[] = plan.steps.map(pending)
    const execution = await execute(plan.steps, stepEngine(begun, held, ports), {
      signal: held.signal,
      clock: ports.clock,
      onStep(index, report) {
        reports[index] = report
        progress.changed([...before, ...reports])
      },
      onFailure: (step, error) => logFailure(deployment, step, error, ports),
    })
    warnings.push(...plan.warnings, ...execution.warnings)
    return { ...execution, warnings, steps: [...before, ...execution.steps] }
  }
  try {
    const begin = firstPlan(ready)
    const earlier = deployment.steps.slice(0, deployment.steps.length - begin.steps.length)
    const execution = await run(begin, earlier)
    if (begin === ready.plan || execution.status !== 'succeeded') return execution
    return await run(await ready.planAgain(execution.images), execution.steps)
  } catch (error) {
    const text = wordsOf(error, 'the service failed to create the plan')
    return { status: 'failed', error: text, steps: deployment.steps, warnings, images: new Map() }
  } finally {
    await progress.stop()
  }
}

/**
 * Returns the Engine that runs the steps. Files are written here, because the Engine does not know
 * their contents.
 */
function stepEngine({ ready, record }: Begun, held: HeldLease, ports: CarryOutPorts): StepEngine {
  const { engine, changes, order } = ready
  const { stack, kind, reach } = order
  const owner = { stack: stack.id, hostId: stack.hostId, reach, isRemoval: kind === 'remove' }
  const accepted = {
    bases: order.stack.acceptedBases ?? [],
    all: order.options.acceptImages ?? false,
  }
  return {
    async execute(step, signal) {
      await held.ensure(callTime)
      if (step.kind === 'image') {
        const how = { user: imageUser(order), accepted }
        const fetched = await fetchImage(step, how, engine, signal, ports)
        record.put((stack) => withFetched(stack, step.name, fetched))
        return fetched
      }
      if (step.action !== 'write') {
        return recordStep(step, owner, () => engine.execute(step, signal), ports)
      }
      await engine.writeFiles(step.name, changes?.write ?? [], changes?.remove)
      // Record this at once. If a later step fails, the next deploy must not take these files for
      // edits by someone else.
      await record.change(() => ({ written: order.files }))
      return {}
    },
  }
}

/**
 * The maximum number of accepted base images of other stacks that are recorded; the newest stay.
 */
const basesMax = 100

/** Returns how a pulled or built image changes the record of the stack. */
function withFetched(
  { images, acceptedBases = [] }: StackRecord,
  reference: string,
  { id, foreignBases }: FetchedImage,
): Partial<StackRecord> {
  const bases = [...new Set([...acceptedBases, ...foreignBases])].slice(-basesMax)
  return {
    ...(id === undefined ? {} : { images: { ...images, [imageName(reference).name]: id } }),
    ...(foreignBases.length > 0 ? { acceptedBases: bases } : {}),
  }
}

/**
 * Logs a failed step. The record of the deployment has only the message of the service; the log
 * also has that of the Engine.
 */
function logFailure({ id, stack }: Deployment, step: Step, error: unknown, { log }: CarryOutPorts) {
  const detail = error instanceof Failure ? error.detail : undefined
  log.warn('a step of a deployment failed', {
    ...{ deployment: id, stack, step: stepTitle(step) },
    ...(detail === undefined ? { error } : { reason: wordsOf(error, ''), detail }),
  })
}

/**
 * Returns the plan that runs first: the pulls and builds that the rest depends on, or the whole
 * plan.
 */
export function firstPlan({ first, plan }: ReadyOrder): Plan {
  return first.steps.length > 0 ? first : plan
}
