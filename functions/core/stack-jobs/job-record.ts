import { notFound } from '../errors.ts'
import { changeRecord } from '../ports/change-record.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { JobRun, StackJob } from '../records/stack-job.ts'
import { isJobOf, removeLogs } from '../stacks/stack-jobs.ts'

type JobOwner = Pick<StackRecord, 'createdAt' | 'id'>

/** Returns the id of the record of a job. */
export const jobId = (stack: string, name: string): string => `${stack}.${name}`

/** Returns the name of the lease that a run of a job holds. */
export const jobLease = ({ id }: Pick<StackJob, 'id'>): string => `stack-job:${id}`

/**
 * Returns a job of a stack. One of an earlier stack with this name is none.
 *
 * @throws 404 if the stack has no job of this name
 */
export async function getJob(
  stack: JobOwner,
  name: string,
  { stackJobs }: Needs<'stackJobs'>,
): Promise<Stored<StackJob>> {
  const job = await stackJobs.find(jobId(stack.id, name))
  if (job && isJobOf(stack, job)) return job
  throw notFound(`stack ${stack.id}: it has no job ${name}`)
}

/** Returns the jobs of a stack, by name. */
export async function jobsOf(
  stack: JobOwner,
  { stackJobs }: Needs<'stackJobs'>,
): Promise<Stored<StackJob>[]> {
  const own = (await stackJobs.list()).filter((job) => isJobOf(stack, job))
  return own.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * Returns a run of a job.
 *
 * @throws 404 if the job has no such run, or no longer
 */
export function getRun({ id, runs }: StackJob, runId: string): JobRun {
  const run = runs.find((one) => one.id === runId)
  if (run) return run
  throw notFound(`job ${id}: it has no such run`)
}

/**
 * Changes the current version of a job. Returns the job as written, or undefined if it was deleted
 * since it was read, or `change` returns undefined.
 *
 * @throws 409 if other changes are always written first
 */
export function changeJob(
  read: StackJob,
  change: (now: StackJob) => Partial<StackJob> | undefined,
  { stackJobs }: Needs<'stackJobs'>,
): Promise<Stored<StackJob> | undefined> {
  // One that was deleted and created again is another job.
  const own = (now: StackJob) => (now.createdAt === read.createdAt ? change(now) : undefined)
  return changeRecord(stackJobs, read.id, own, `job ${read.id}: it`)
}

/**
 * Deletes a job with its runs. Returns false if it was deleted or changed since it was read:
 * another job can have its id by now.
 */
export async function removeJob(
  job: Stored<StackJob>,
  ports: Needs<'jobLogs' | 'stackJobs'>,
): Promise<boolean> {
  await removeLogs(job.runs, ports)
  return ports.stackJobs.remove(job.id, job.revision)
}

/**
 * Records that a run begins, and forgets the runs that are too many with it. Call it under the
 * lease of the job. If this process dies from here on, `recoverJobs` ends the run.
 *
 * @param nextRunAt when the job runs next; undefined to keep the time
 * @returns the job as written, or undefined if it was deleted, or changed by a user, since it was
 *   read
 */
export async function beginRun(
  job: StackJob,
  run: JobRun,
  nextRunAt: number | null | undefined,
  ports: Needs<'jobLogs' | 'stackJobs'>,
): Promise<Stored<StackJob> | undefined> {
  // The logs go first: those of runs that no job has any more would stay.
  await removeLogs(job.runs.slice(job.keepRuns - 1), ports)
  const begin = ({ runs, keepRuns, updatedAt }: StackJob) =>
    // Only what was checked may run.
    updatedAt === job.updatedAt
      ? { runs: [run, ...runs].slice(0, keepRuns), ...(nextRunAt !== undefined && { nextRunAt }) }
      : undefined
  return changeJob(job, begin, ports)
}

/**
 * Records how a run ended. Returns false if another process ended it before, or the job was
 * deleted.
 */
export async function endRun(
  job: StackJob,
  ended: JobRun,
  ports: Needs<'stackJobs'>,
): Promise<boolean> {
  const isOpen = ({ id, status }: JobRun) => id === ended.id && status === 'running'
  const end = ({ runs }: StackJob) =>
    runs.some(isOpen) ? { runs: runs.map((one) => (isOpen(one) ? ended : one)) } : undefined
  return (await changeJob(job, end, ports)) !== undefined
}
