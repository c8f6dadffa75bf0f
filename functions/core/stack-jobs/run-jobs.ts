import { isPaused } from '../leases/pause.ts'
import { logFailure } from '../log-failure.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { StackJob } from '../records/stack-job.ts'
import { isJobOf } from '../stacks/stack-jobs.ts'
import { type JobTurn, nextRunOf, turnOf, unfinishedRun, whySkipped } from './decide-job.ts'
import type { JobPorts } from './job-ports.ts'
import { beginRun, changeJob, removeJob } from './job-record.ts'
import { runningMax } from './limits.ts'
import { isUnfinished, recoverJobs } from './recover-jobs.ts'
import { reviewJob } from './review-job.ts'
import { acquireJob, newRun, runInBackground } from './start-job.ts'

export type RunJobsPorts = JobPorts & Needs<'reminders'>

/** How often the schedule runs. Seconds. */
export const jobsEverySeconds = 5

/**
 * The beginning of each minute in which jobs are judged that are not due, so that people learn of a
 * lost account before the next run. Longer than a pass of the schedule takes. Milliseconds.
 */
const reviewTime = 2 * jobsEverySeconds * 1000

/**
 * Ends the runs of processes that died, blocks jobs whose account may no longer run them, and
 * begins the runs that are due, longest waiting first. While the service is paused, all stay due.
 */
export async function runJobs(ports: RunJobsPorts): Promise<void> {
  const jobs = await ports.stackJobs.list()
  if (jobs.length === 0) return
  await recoverJobs(jobs, ports)
  const now = ports.clock.now()
  const pass: Pass = {
    reviews: now % 60_000 < reviewTime,
    isPaused: await isPaused(ports),
    running: await runningByHost(jobs, ports),
  }
  for (const job of jobs.sort(byNextRun)) {
    await follow(job, pass, ports).catch((error) => {
      if (!ports.reminders.isDue(`run job ${job.id}`)) return
      logFailure(ports.log, 'a job could not be run by schedule', { job: job.id, error })
    })
  }
}

/** What one call of the schedule knows. */
interface Pass {
  /** Whether it judges jobs that are not due. */
  reviews: boolean
  isPaused: boolean
  /** The id of a host → how many runs go on there. */
  running: Map<string, number>
}

async function runningByHost(
  jobs: readonly StackJob[],
  { stacks }: Needs<'stacks'>,
): Promise<Pass['running']> {
  const running: Pass['running'] = new Map()
  for (const job of jobs.filter(unfinishedRun)) {
    const stack = await stacks.find(job.stack)
    if (stack) running.set(stack.hostId, (running.get(stack.hostId) ?? 0) + 1)
  }
  return running
}

const byNextRun = (a: StackJob, b: StackJob) => (a.nextRunAt ?? 0) - (b.nextRunAt ?? 0)

async function follow(job: Stored<StackJob>, pass: Pass, ports: RunJobsPorts): Promise<void> {
  const stack = await ports.stacks.find(job.stack)
  if (!stack || !isJobOf(stack, job)) {
    await removeJob(job, ports)
    return
  }
  const turn = turnOf(job, ports.clock.now())
  if (turn.kind === 'postponed') await setNextRun(job, turn.nextRunAt, ports)
  const isDue = turn.kind === 'due' && !pass.isPaused
  const running = pass.running.get(stack.hostId) ?? 0
  if (isDue && running < runningMax) {
    if (await startDue(job, stack, ports)) pass.running.set(stack.hostId, running + 1)
    return
  }
  if (isDue) logWait(job, stack, running, ports)
  if (pass.reviews) await reviewJob(job, stack, ports)
}

/** Says why a job that is due does not run yet: otherwise, only its next time is in the past. */
function logWait(
  { id }: StackJob,
  { hostId }: StackRecord,
  running: number,
  { log, reminders }: Needs<'log' | 'reminders'>,
): void {
  if (!reminders.isDue(`job ${id} waits`)) return
  log.warn('a job waits until a run of another one on its host ends', {
    job: id,
    host: hostId,
    running,
  })
}

/** Corrects the next run of a job, unless someone else has changed it. */
async function setNextRun(
  job: StackJob,
  nextRunAt: number | null,
  ports: RunJobsPorts,
): Promise<void> {
  const set = (now: StackJob) => (now.nextRunAt === job.nextRunAt ? { nextRunAt } : undefined)
  await changeJob(job, set, ports)
}

/**
 * Begins the run of a job that is due, in only one of all processes. Returns false if it is skipped
 * or another process began it.
 */
async function startDue(
  due: Stored<StackJob>,
  stack: StackRecord,
  ports: RunJobsPorts,
): Promise<boolean> {
  const run = newRun('schedule', ports)
  const lease = await acquireJob(due, run, ports)
  if (!lease) return skipIfRunning(due, ports)
  let begun: Stored<StackJob> | undefined
  try {
    const job = await findRunnable(due, stack, ports)
    if (!job) return false
    begun = await beginRun(job, run, nextRunOf(job, ports.clock.now()), ports)
  } finally {
    if (!begun) await ports.leases.release(lease)
  }
  if (!begun) return false
  runInBackground(begun, stack, run, lease, ports)
  return true
}

/** Returns the job if it is still due and nothing is in its way; otherwise it is skipped. */
async function findRunnable(
  due: StackJob,
  stack: StackRecord,
  ports: RunJobsPorts,
): Promise<Stored<StackJob> | undefined> {
  const job = await ports.stackJobs.find(due.id)
  const turn: JobTurn = job ? turnOf(job, ports.clock.now()) : { kind: 'wait' }
  if (!job || job.createdAt !== due.createdAt || turn.kind !== 'due') return undefined
  const blocked = await reviewJob(job, stack, ports)
  const isRunning = await isUnfinished(job.runs[0], ports)
  const reason = whySkipped(job, { stack, blocked, isRunning })
  if (reason === undefined) return await ports.stackJobs.find(job.id)
  await skip(job, reason, ports)
  return undefined
}

/** Skips a run that is due while an earlier one goes on. */
async function skipIfRunning(due: StackJob, ports: RunJobsPorts): Promise<false> {
  const now = await ports.stackJobs.find(due.id)
  if (now && isInTheWay(now, due)) await skip(now, 'the last run has not ended', ports)
  return false
}

/** Returns whether an earlier run goes on. Otherwise another process has just begun this one. */
function isInTheWay(now: StackJob, { nextRunAt }: StackJob): boolean {
  const running = unfinishedRun(now)
  if (!running || nextRunAt === null || now.nextRunAt !== nextRunAt) return false
  return running.startedAt < nextRunAt
}

async function skip(job: StackJob, reason: string, ports: RunJobsPorts): Promise<void> {
  const at = ports.clock.now()
  const { nextRunAt } = job
  const change = (now: StackJob) =>
    now.nextRunAt === nextRunAt
      ? { nextRunAt: nextRunOf(now, at), skipped: { at, reason } }
      : undefined
  if (await changeJob(job, change, ports)) {
    ports.log.warn('a run of a job was skipped', { job: job.id, reason })
  }
}
