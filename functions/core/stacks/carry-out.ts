import type { Plan } from '../compose/plan/draft.ts'
import { wordsOf } from '../errors.ts'
import type { Needs } from '../ports.ts'
import { type Execution, execute, pending, type StepEngine } from './execute.ts'
import type { ReadyOrder } from './order.ts'
import { recordProgress } from './progress.ts'
import type { StackRecorder } from './record-stack.ts'
import type { Deployment, StepReport } from './stack.ts'

type CarryOutPorts = Needs<'clock' | 'deployments' | 'log'>

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
  signal: AbortSignal,
  ports: CarryOutPorts,
): Promise<Execution> {
  const { deployment, ready } = begun
  const progress = recordProgress(deployment, ports)
  const warnings: string[] = []
  const run = async (plan: Plan, before: StepReport[]): Promise<Execution> => {
    const reports: StepReport[] = plan.steps.map(pending)
    const execution = await execute(plan.steps, stepEngine(begun), {
      signal,
      clock: ports.clock,
      onStep(index, report) {
        reports[index] = report
        progress.changed([...before, ...reports])
      },
    })
    warnings.push(...plan.warnings, ...execution.warnings)
    return { ...execution, warnings, steps: [...before, ...execution.steps] }
  }
  try {
    const begin = firstPlan(ready)
    const earlier = deployment.steps.slice(0, deployment.steps.length - begin.steps.length)
    const execution = await run(begin, earlier)
    if (begin === ready.plan || execution.status !== 'succeeded') return execution
    return await run(await ready.planAgain(), execution.steps)
  } catch (error) {
    const text = wordsOf(error, 'the service failed to plan it')
    return { status: 'failed', error: text, steps: deployment.steps, warnings }
  } finally {
    await progress.stop()
  }
}

/** The Engine for steps; files are written from here, because only here their texts are known. */
function stepEngine({ ready, record }: Begun): StepEngine {
  const { engine, changes, order } = ready
  return {
    async execute(step, signal) {
      if (step.action !== 'write') return engine.execute(step, signal)
      await engine.writeFiles(step.name, changes?.write ?? [], changes?.remove)
      // At once: whatever becomes of the rest, our own files must not be taken for somebody else's.
      await record.change(() => ({ written: order.files }))
      return {}
    },
  }
}

/** What is executed first: the pulls and builds that the plan depends on, or all of it. */
export function firstPlan({ first, plan }: ReadyOrder): Plan {
  return first.steps.length > 0 ? first : plan
}
