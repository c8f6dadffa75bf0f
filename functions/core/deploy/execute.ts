import type { Plan } from '../../compose/plan/plan-steps.ts'
import { stepTitle } from '../../compose/plan/plan-text.ts'
import type { Step } from '../../compose/step.ts'
import { Failure, failureReason, isTransient, publicMessage } from '../errors.ts'
import { fetchImage } from '../images/fetch-image.ts'
import type { HeldLease } from '../leases/lease-renewal.ts'
import { watchCancel } from '../leases/watch-cancel.ts'
import { levelOf } from '../log-failure.ts'
import { recordStep } from '../owners/record-step.ts'
import type { Deployment, StepReport } from '../records/deployment.ts'
import { rulesOf } from '../records/deployment-kinds.ts'
import { firstPlan } from './prepared.ts'
import type { RecordedDeployment } from './record.ts'
import { recordProgress } from './record-progress.ts'
import { withServiceStops } from './record-service-stops.ts'
import type { StackRecorder } from './record-stack.ts'
import { type DeployPorts, imageUser } from './request.ts'
import { type Execution, pending, runSteps, type StepEngine } from './run-steps.ts'
import { changesOnApply, changesOnFetch, changesOnStart } from './stack-changes.ts'
import { buildSource, buildsBeforeWrite } from './stale-builds.ts'
import { writeChanges } from './write-changes.ts'

/**
 * The time that must be left on the lease when a call to the Engine begins: the deadline of a short
 * call. A longer call is aborted when the lease is lost. Milliseconds.
 */
const callTime = 5_000

/**
 * Executes the steps of a deployment. Pulls and builds that the plan depends on run first; the rest
 * is planned after them. Durable after it: what the steps did on the host and who owns it; in the
 * stack's record the ID of the deployment, the fetched images and the written files; in the
 * deployment's most of the progress. Never throws.
 */
export async function execute(
  recorded: RecordedDeployment,
  stackRecord: StackRecorder,
  held: HeldLease,
  ports: DeployPorts,
): Promise<Execution> {
  const { deployment, prepared } = recorded
  stackRecord.queue((stack) => changesOnStart(stack, deployment, prepared))
  const progress = recordProgress(deployment, ports)
  const { stack, id } = deployment
  const cancel = watchCancel(() => ports.deployments.findCancelRequest(stack, id), ports)
  const apply = once(() =>
    stackRecord.queue((stack) => changesOnApply(stack, deployment, prepared)),
  )
  const engine = stepEngine({ recorded, stackRecord, held, apply }, ports)
  const warnings: string[] = []
  // The result of the first plan, in case planning the rest fails.
  let done: Pick<Execution, 'steps' | 'images'> = { steps: deployment.steps, images: new Map() }
  const runPlan = async (plan: Plan, before: StepReport[]): Promise<Execution> => {
    const reports: StepReport[] = plan.steps.map(pending)
    const execution = await runSteps(plan.steps, engine, {
      signal: held.signal,
      cancel: cancel.signal,
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
    const first = firstPlan(prepared)
    // The steps of the process that died, if this deployment was resumed.
    const earlier = deployment.steps.slice(0, deployment.steps.length - first.steps.length)
    const stopsServices = rulesOf(deployment).plan === 'stop services'
    const runFirst = () => runPlan(first, earlier)
    let execution = stopsServices
      ? await withServiceStops(recorded, ports, runFirst)
      : await runFirst()
    if (first !== prepared.plan && execution.status === 'succeeded') {
      if (cancel.signal.aborted) return cancelled(execution, cancel.signal)
      done = execution
      execution = await runPlan(await prepared.planRest(execution.images), execution.steps)
    }
    // A plan that changes no containers counts as applied at its end.
    if (execution.status === 'succeeded') apply()
    return execution
  } catch (error) {
    const text = publicMessage(error, 'the service failed to create the plan')
    const reason = failureReason(error)
    const isLeft = ports.background.stopping.aborted && isTransient(error)
    return { ...done, status: 'failed', error: text, reason, warnings, isLeft }
  } finally {
    await cancel.stop()
    await progress.stop()
  }
}

/** Returns the result of a deployment that was cancelled after its pulls and builds. */
const cancelled = (execution: Execution, { reason }: AbortSignal): Execution => ({
  ...execution,
  status: 'interrupted',
  error: publicMessage(reason, 'cancelled'),
  reason: 'conflict',
})

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** What the steps of a deployment need. */
interface StepContext {
  recorded: RecordedDeployment
  stackRecord: StackRecorder
  held: HeldLease
  /** Records that the deployment begins to change containers. */
  apply(): void
}

/**
 * Returns the Engine that runs the steps. Files are written here, because the Engine does not know
 * their contents.
 */
function stepEngine(
  { recorded: { prepared }, stackRecord, held, apply }: StepContext,
  ports: DeployPorts,
): StepEngine {
  const { engine, changes, request } = prepared
  const { stack, reach, options } = request
  const owner = {
    stack,
    hostId: stack.hostId,
    reach,
    isRemoval: rulesOf(request).plan === 'remove',
  }
  const accepted = { bases: stack.acceptedBases ?? [], all: options.acceptImages ?? false }
  return {
    async execute(step, signal, report) {
      await held.ensure(callTime)
      if (step.kind === 'image' && step.action !== 'remove') {
        const how = { user: imageUser(request), accepted, report }
        const fetched = await fetchImage(step, how, engine, signal, ports)
        const from =
          step.action === 'build' ? await buildSource(prepared, step.name, ports) : undefined
        stackRecord.queue((stack) => changesOnFetch(stack, step.name, fetched, from))
        return fetched
      }
      if (step.kind === 'container') apply()
      if (step.action !== 'write') {
        return recordStep(step, owner, () => engine.execute(step, signal), ports)
      }
      if (changes) {
        await writeChanges(engine, step.name, changes, ports, () => held.ensure(callTime))
      }
      // Record this at once. If a later step fails, the next deploy must not take these files for
      // edits by someone else.
      const written = changes?.written ?? request.files
      const before = buildsBeforeWrite(prepared)
      await stackRecord.change(({ builds = {} }) => ({
        written,
        restoredPaths: undefined,
        ...(Object.keys(before).length > 0 ? { builds: { ...before, ...builds } } : {}),
      }))
      return {}
    },
  }
}

/**
 * Logs a failed step. The record of the deployment has only the message of the service; the log
 * also has that of the Engine.
 */
function logFailure({ id, stack }: Deployment, step: Step, error: unknown, { log }: DeployPorts) {
  const detail = error instanceof Failure ? error.detail : undefined
  log[levelOf(failureReason(error))]('a step of a deployment failed', {
    deployment: id,
    stack,
    step: stepTitle(step),
    ...(detail === undefined ? { error } : { reason: publicMessage(error, ''), detail }),
  })
}
