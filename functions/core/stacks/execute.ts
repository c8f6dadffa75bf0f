import { resolveParents } from '../compose/plan/parents.ts'
import { stepTitle } from '../compose/plan/plan-text.ts'
import type { Step } from '../compose/step.ts'
import type { Engine, StepOutcome } from '../engine/engine.ts'
import { broken, wordsOf } from '../errors.ts'
import type { Clock } from '../runtime.ts'
import type { StepReport } from './stack.ts'

/** What a run is given besides the plan and the Engine. */
export interface ExecuteOptions {
  clock: Clock
  /** Ends the running steps as soon as the Engine can, and starts no more. */
  signal: AbortSignal
  /** Told each change of a step: its place in the plan and how far it is. */
  onStep?(index: number, report: StepReport): void
  /** Called with the error of each step that failed. */
  onFailure?(step: Step, error: unknown): void
}

/** How a run ended: `interrupted` when the signal kept a step from being done. */
export interface Execution {
  status: 'succeeded' | 'failed' | 'interrupted'
  /** The first failure with the step it happened in: `service db: pull image redis:7: …`. */
  error: string | null
  /** One report per step, in the order of the plan. */
  steps: StepReport[]
  /** What the Engine and passed-over waits had to say. */
  warnings: string[]
  /** Reference → ID of each image that was pulled or built. */
  images: ReadonlyMap<string, string>
}

/** What steps are run on: an Engine, with a way to do the step that writes files. */
export type StepEngine = Pick<Engine, 'execute'>

/**
 * Runs the steps of a plan, each as soon as those before it are done, all that are ready at the same time. It decides
 * nothing: when a step fails, the steps that come after it are skipped and independent ones go on. A step that is not
 * required (a wait for an optional dependency, a `pre_stop` command, a network of a project that goes) holds nobody up. Never throws: the outcome says what went wrong.
 */
export async function execute(
  steps: readonly Step[],
  engine: StepEngine,
  options: ExecuteOptions,
): Promise<Execution> {
  const run: Run = {
    engine,
    options,
    reports: steps.map(pending),
    ids: new Map(),
    images: new Map(),
    warnings: [],
    error: null,
    cut: false,
  }
  const ends: Promise<boolean>[] = []
  for (const step of steps) {
    const before = Promise.all(step.after.map((index) => ends[index]))
    ends.push(before.then((results) => perform(run, step, results.every(Boolean))))
  }
  await Promise.all(ends)
  return {
    status: run.error === null ? 'succeeded' : run.cut ? 'interrupted' : 'failed',
    error: run.error,
    steps: run.reports,
    warnings: run.warnings,
    images: run.images,
  }
}

interface Run {
  engine: StepEngine
  options: ExecuteOptions
  reports: StepReport[]
  /** Name under which a container was created → its id. */
  ids: Map<string, string>
  /** Reference → ID of each image that was pulled or built. */
  images: Map<string, string>
  warnings: string[]
  error: string | null
  /** The signal kept a step from being done. */
  cut: boolean
}

/** Answers whether the steps after this one may begin. */
async function perform(run: Run, step: Step, ready: boolean): Promise<boolean> {
  const { clock, signal } = run.options
  if (signal.aborted) interrupt(run)
  if (!ready || signal.aborted) {
    report(run, step, { status: 'skipped' })
    return isOptional(step)
  }
  const begun = clock.now()
  report(run, step, { status: 'running' })
  try {
    const outcome = await call(run, step)
    if (outcome.id !== undefined && step.kind === 'container') run.ids.set(step.name, outcome.id)
    if (outcome.id !== undefined && step.kind === 'image') run.images.set(step.name, outcome.id)
    run.warnings.push(...(outcome.warnings ?? []).map((text) => `${subject(step)}: ${text}`))
    report(run, step, { status: 'done', ms: clock.now() - begun })
    return true
  } catch (error) {
    report(run, step, { status: 'failed', ms: clock.now() - begun })
    run.options.onFailure?.(step, error)
    const text = `${subject(step)}: ${reasonOf(error)}`
    if (signal.aborted) interrupt(run)
    else if (isOptional(step)) run.warnings.push(text)
    else run.error ??= text
    return isOptional(step)
  }
}

function interrupt(run: Run): void {
  run.cut = true
  run.error ??= 'interrupted'
}

function call(run: Run, step: Step): Promise<StepOutcome> {
  const idOf = (name: string) => {
    const id = run.ids.get(name)
    if (id === undefined) throw broken(`container ${name} was created without an id`)
    return id
  }
  return run.engine.execute(decided(run, resolveParents(step, idOf)), run.options.signal)
}

/**
 * A container is created from the image that this run pulled or built, even if its name points to
 * another one by then.
 */
function decided({ images }: Run, step: Step): Step {
  if (step.kind !== 'container' || !('image' in step)) return step
  const imageId = images.get(step.image)
  return imageId === undefined ? step : { ...step, imageId }
}

function report(run: Run, step: Step, change: Partial<StepReport>): void {
  const next = { ...run.reports[step.index]!, ...change }
  run.reports[step.index] = next
  run.options.onStep?.(step.index, next)
}

function isOptional(step: Step): boolean {
  return 'required' in step && step.required === false
}

/** `service db: start container shop-db-1`, with the command of the file that it is about: `service db: pre_start[1]: …`. */
function subject(step: Step): string {
  const hook = step.reason.startsWith('pre_start[') ? `${step.reason}: ` : ''
  const title = `${hook}${stepTitle(step)}`
  return step.service === null ? title : `service ${step.service}: ${title}`
}

/** Messages of failures are for callers; anything else is not theirs to see. */
function reasonOf(error: unknown): string {
  return wordsOf(error, 'the step failed unexpectedly')
}

/** A step of a plan, not begun. */
export function pending(step: Step): StepReport {
  const { action, kind, name, reason } = step
  return { action, kind, name, reason, status: 'pending', ms: null }
}
