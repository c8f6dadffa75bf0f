import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'
import { verbOf } from '../states/expectation.ts'
import { isRunDue, isRunPostponed, runAfter } from '../time/scheduled-run.ts'

/** What decides when a job runs. */
export type JobTimes = Pick<StackJob, 'enabled' | 'nextRunAt' | 'runs' | 'schedule' | 'timezone'>

/**
 * What the schedule does with a job now. `postponed`: a clock that was ahead set its next run.
 * `nextRunAt` is the run after this one, in milliseconds since the epoch; null for never.
 */
export type JobTurn =
  | { kind: 'wait' }
  | { kind: 'due'; nextRunAt: number | null }
  | { kind: 'postponed'; nextRunAt: number | null }

/**
 * Decides what the schedule does with a job. However many runs were missed, one is due.
 *
 * @param now milliseconds since the epoch
 */
export function turnOf(job: JobTimes, now: number): JobTurn {
  if (!job.enabled) return { kind: 'wait' }
  const nextRunAt = nextRunOf(job, now)
  if (isRunDue(job, job.runs[0]?.startedAt ?? null, now)) return { kind: 'due', nextRunAt }
  return isRunPostponed(job, now) ? { kind: 'postponed', nextRunAt } : { kind: 'wait' }
}

/** Returns when a job runs next after an instant; null without a schedule or while disabled. */
export const nextRunOf = (
  job: Pick<StackJob, 'enabled' | 'schedule' | 'timezone'>,
  after: number,
): number | null => (job.enabled ? runAfter(job, after) : null)

/** Returns the run of a job that has not ended, if there is one. */
export const unfinishedRun = ({ runs }: Pick<StackJob, 'runs'>) =>
  runs.find(({ status }) => status === 'running')

/** What decides whether a run that is due is skipped. */
export interface JobFacts {
  stack: Pick<StackRecord, 'deployed' | 'services' | 'verbs'>
  /** Why the account of the job may not run it; null if it may. */
  blocked: string | null
  /** The last run has not ended, or its container is not removed yet. */
  isRunning: boolean
}

/**
 * Returns why a scheduled run does not begin, as a phrase, or undefined. What a user stopped or
 * paused stays so: a job does not run beside it.
 */
export function whySkipped(
  { service }: Pick<StackJob, 'service'>,
  { stack, blocked, isRunning }: JobFacts,
): string | undefined {
  if (isRunning) return 'the last run has not ended'
  if (blocked !== null) return `the job is blocked: ${blocked}`
  if (!stack.deployed) return 'the stack is not deployed, or it is stopped'
  if (isPaused(stack)) return 'the stack is paused'
  const verb = verbOf(stack, service)?.verb
  if (verb === 'stop') return `service ${service} is stopped`
  return verb === 'pause' ? `service ${service} is paused` : undefined
}

/** Returns whether users paused every service that is no job. */
function isPaused(stack: JobFacts['stack']): boolean {
  const lasting = Object.entries(stack.services)
    .filter(([, { containers, job }]) => containers > 0 && !job)
    .map(([name]) => name)
  return lasting.length > 0 && lasting.every((name) => verbOf(stack, name)?.verb === 'pause')
}
