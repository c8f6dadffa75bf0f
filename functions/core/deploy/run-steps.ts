import { resolveParents } from '../../compose/plan/compare/parents.ts'
import { stepTitle } from '../../compose/plan/plan-text.ts'
import type { StepOutcome } from '../../compose/snapshot.ts'
import type { Step } from '../../compose/step.ts'
import { failureReason, internalError, publicMessage, type Reason } from '../errors.ts'
import { downloadProgress } from '../images/download-progress.ts'
import type { Clock } from '../ports/clock.ts'
import type { Engine } from '../ports/engine.ts'
import type { StepReport } from '../records/deployment.ts'

/** Options of `runSteps`. */
export interface RunOptions {
  clock: Clock
  /** Aborts the running steps as soon as the Engine can, and starts no further ones. */
  signal: AbortSignal
  /**
   * Starts no further steps once it is aborted, and aborts running ones that change nothing on the
   * host when they are cut short: pulls, builds and waits. Its reason is a `Failure`.
   */
  cancel?: AbortSignal
  /** Called on each change of a step with its index in the plan. */
  onStep?(index: number, report: StepReport): void
  /** Called with the error of each step that failed. */
  onFailure?(step: Step, error: unknown): void
}

/** The result of a run. `interrupted`: a signal kept a step from running or finishing. */
export interface Execution {
  status: 'succeeded' | 'failed' | 'interrupted'
  /** The first failure with its step: `service db: pull image redis:7: …`. */
  error: string | null
  /** Why it failed; undefined if it succeeded. */
  reason?: Reason | undefined
  /** One report per step, in the order of the plan. */
  steps: StepReport[]
  /** Warnings of the Engine and of failed optional steps. */
  warnings: string[]
  /** Reference → ID of each image that was pulled, built or tagged. */
  images: ReadonlyMap<string, string>
  /** Set if the service stopped before the rest could be planned: recovery resumes it. */
  isLeft?: boolean
}

/** Executes single steps: an Engine, or a wrapper that also writes files. */
export type StepEngine = Pick<Engine, 'execute'>

/**
 * Runs the steps of a plan, each as soon as the steps before it are done, in parallel where
 * possible. If a step fails, the steps that depend on it are skipped and independent ones continue.
 * An optional step (a wait for an optional dependency, a `pre_stop` command, a network of a project
 * that is removed) never blocks others by its own failure. Never throws: the result has the error.
 */
export async function runSteps(
  steps: readonly Step[],
  engine: StepEngine,
  options: RunOptions,
): Promise<Execution> {
  const run: Run = {
    engine,
    options,
    reports: steps.map(pending),
    ids: new Map(),
    images: new Map(),
    warnings: [],
    error: null,
    reason: undefined,
    isInterrupted: false,
  }
  const outcomes: Promise<boolean>[] = []
  for (const step of steps) {
    const before = Promise.all(step.after.map((index) => outcomes[index]))
    outcomes.push(before.then((results) => runStep(run, step, results.every(Boolean))))
  }
  await Promise.all(outcomes)
  return {
    status: run.error === null ? 'succeeded' : run.isInterrupted ? 'interrupted' : 'failed',
    error: run.error,
    reason: run.reason,
    steps: run.reports,
    warnings: run.warnings,
    images: run.images,
  }
}

interface Run {
  engine: StepEngine
  options: RunOptions
  reports: StepReport[]
  /** Name of a created container → its id. */
  ids: Map<string, string>
  /** Reference → ID of each image that was pulled or built. */
  images: Map<string, string>
  warnings: string[]
  error: string | null
  /** Why `error` happened, as one of the documented reasons. */
  reason: Reason | undefined
  /** The signal kept a step from finishing. */
  isInterrupted: boolean
}

/** Runs a step. Returns whether the steps after it may begin. */
async function runStep(run: Run, step: Step, isReady: boolean): Promise<boolean> {
  const { clock } = run.options
  const stopped = interruption(run)
  if (stopped) interrupt(run, stopped)
  if (!isReady || stopped) {
    report(run, step, { status: 'skipped' })
    // A container is stopped without its pre_stop command, but not before its replacement exists.
    return isOptional(step) && step.action !== 'exec'
  }
  const startedAt = clock.now()
  report(run, step, { status: 'running' })
  try {
    const outcome = await executeStep(run, step)
    if (outcome.id !== undefined && step.kind === 'container') run.ids.set(step.name, outcome.id)
    if (outcome.id !== undefined && step.kind === 'image') run.images.set(step.name, outcome.id)
    run.warnings.push(...(outcome.warnings ?? []).map((text) => `${subject(step)}: ${text}`))
    report(run, step, { status: 'done', ms: clock.now() - startedAt })
    return true
  } catch (error) {
    const aborted = interruption(run, step)
    const message = aborted?.error ?? reasonOf(error)
    report(run, step, { status: 'failed', ms: clock.now() - startedAt, error: message })
    run.options.onFailure?.(step, error)
    const text = `${subject(step)}: ${message}`
    if (aborted) interrupt(run, aborted)
    else if (isOptional(step)) run.warnings.push(text)
    else {
      run.reason ??= failureReason(error)
      run.error ??= text
    }
    return isOptional(step)
  }
}

/** Why a run stops early. */
type Interruption = { error: string; reason: Reason }

/**
 * Returns why no further step may start or, given a running step, why it was aborted; undefined if
 * nothing stops them.
 */
function interruption({ options }: Run, running?: Step): Interruption | undefined {
  const { signal, cancel } = options
  if (signal.aborted) return { error: 'interrupted', reason: 'overloaded' }
  if (!cancel?.aborted || (running && !isAbortable(running))) return undefined
  return { error: publicMessage(cancel.reason, 'cancelled'), reason: 'conflict' }
}

function interrupt(run: Run, { error, reason }: Interruption): void {
  if (!run.isInterrupted && run.error !== null) run.error = `${error}; ${run.error}`
  run.isInterrupted = true
  run.reason ??= reason
  run.error ??= error
}

/** Returns whether a step can be cut short without leaving something half done on the host. */
const isAbortable = ({ kind, action }: Step) => kind === 'image' || action === 'wait'

function signalOf(step: Step, { signal, cancel }: RunOptions): AbortSignal {
  return cancel && isAbortable(step) ? AbortSignal.any([signal, cancel]) : signal
}

function executeStep(run: Run, step: Step): Promise<StepOutcome> {
  const idOf = (name: string) => {
    const id = run.ids.get(name)
    if (id === undefined)
      throw internalError(`container ${name} was created without an id`, {
        reason: 'engine-failed',
      })
    return id
  }
  const { clock } = run.options
  const isPull = step.kind === 'image' && (step.action === 'pull' || step.action === 'tag')
  return run.engine.execute(
    withFetchedImage(run, resolveParents(step, idOf)),
    signalOf(step, run.options),
    isPull ? downloadProgress(clock, (progress) => report(run, step, { progress })) : undefined,
  )
}

/**
 * Returns the step with the image that this run pulled or built, so that the container is created
 * from it even if its name points to another image by then.
 */
function withFetchedImage({ images }: Run, step: Step): Step {
  if (step.kind !== 'container' || !('image' in step)) return step
  const imageId = images.get(step.image)
  return imageId === undefined ? step : { ...step, imageId }
}

function report(run: Run, step: Step, change: Partial<StepReport>): void {
  const { progress: _, ...known } = run.reports[step.index] ?? pending(step)
  const next = { ...known, ...change }
  run.reports[step.index] = next
  run.options.onStep?.(step.index, next)
}

function isOptional(step: Step): boolean {
  return 'required' in step && step.required === false
}

/**
 * Returns the prefix of messages about a step, such as `service db: start container shop-db-1`, or
 * `service db: pre_start[1]: …` for a hook of the compose file.
 */
function subject(step: Step): string {
  const hook = step.reason.startsWith('pre_start[') ? `${step.reason}: ` : ''
  const title = `${hook}${stepTitle(step)}`
  return step.service === null ? title : `service ${step.service}: ${title}`
}

/** Returns the message for callers: that of a `Failure`, or a general text for any other error. */
function reasonOf(error: unknown): string {
  return publicMessage(error, 'the step failed unexpectedly')
}

/** Returns the report of a step that has not begun. */
export function pending(step: Step): StepReport {
  const { action, kind, name, reason } = step
  const image = 'imageChange' in step ? step.imageChange : undefined
  return { action, kind, name, reason, status: 'pending', ms: null, ...(image && { image }) }
}
