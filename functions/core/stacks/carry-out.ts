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
 * How much of the lease must be left when a call to the Engine begins: the deadline of a short one.
 * A longer one ends with the lease. Milliseconds.
 */
const callTime = 5_000

type CarryOutPorts = NamingPorts & Needs<'registries' | 'settings'>

/** A deployment that is recorded and ready to be carried out. */
export interface Begun {
  deployment: Deployment
  ready: ReadyOrder
  record: StackRecorder
}

/**
 * Does what an order wants and records each step as it goes. Pulls and builds on which the plan depends come first: the rest is
 * planned when they are there. Never throws.
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
    const text = wordsOf(error, 'the service failed to plan it')
    return { status: 'failed', error: text, steps: deployment.steps, warnings, images: new Map() }
  } finally {
    await progress.stop()
  }
}

/** The Engine for steps; files are written from here, because only here their texts are known. */
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
      // At once: whatever becomes of the rest, our own files must not be taken for somebody else's.
      await record.change(() => ({ written: order.files }))
      return {}
    },
  }
}

/** The most recently accepted names of images of other stacks that builds may use. */
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

/** The record of a deployment says what failed in our words; the log also has those of the Engine. */
function logFailure({ id, stack }: Deployment, step: Step, error: unknown, { log }: CarryOutPorts) {
  const detail = error instanceof Failure ? error.detail : undefined
  log.warn('a step of a deployment failed', {
    ...{ deployment: id, stack, step: stepTitle(step) },
    ...(detail === undefined ? { error } : { reason: wordsOf(error, ''), detail }),
  })
}

/** What is executed first: the pulls and builds that the plan depends on, or all of it. */
export function firstPlan({ first, plan }: ReadyOrder): Plan {
  return first.steps.length > 0 ? first : plan
}
