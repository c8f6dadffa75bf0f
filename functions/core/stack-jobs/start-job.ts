import { conflict, leaseHeld, notFound } from '../errors.ts'
import { acquireWithRetry, holderOf } from '../leases/acquire-with-retry.ts'
import { leaseTime, withLeaseRenewal } from '../leases/lease-renewal.ts'
import { refuseWhilePaused } from '../leases/pause.ts'
import type { Stored } from '../ports/collection.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { StackRecord } from '../records/stack.ts'
import type { JobRun, StackJob } from '../records/stack-job.ts'
import { executeJob } from './execute-job.ts'
import type { JobPorts } from './job-ports.ts'
import { beginRun, endRun, jobLease } from './job-record.ts'
import { requireJobAccount } from './judge-job.ts'
import { logBytesMax } from './limits.ts'
import { OutputTail } from './output-tail.ts'
import { isUnfinished } from './recover-jobs.ts'
import { reportEnd } from './report-job.ts'

/** A run that has begun. */
export interface StartedJob {
  run: JobRun
  /** Resolves with the run once its end is recorded. Never rejects. */
  finished: Promise<JobRun>
}

/**
 * Begins a run of a job by hand.
 *
 * @param job as the rights of the user were checked for it
 * @param by the name of the user
 * @throws 409 if the job is blocked or was changed since, and while another run of it goes on, the
 *   container of the last one is not removed, or the service is paused
 */
export async function startJob(
  job: Stored<StackJob>,
  stack: StackRecord,
  by: string,
  ports: JobPorts,
): Promise<StartedJob> {
  await requireJobAccount(job, stack, ports)
  const run = newRun(by, ports)
  const lease = await acquireJob(job, run, ports)
  if (!lease) throw leaseHeld(`job ${job.id}: a run is in progress`)
  let begun: Stored<StackJob> | undefined
  try {
    begun = await beginByHand(job, run, ports)
  } finally {
    if (!begun) await ports.leases.release(lease)
  }
  return runInBackground(begun, stack, run, lease, ports)
}

/**
 * Records that a run begins, of a job that is still as it was checked. Call it under the lease of
 * the job.
 */
async function beginByHand(
  checked: StackJob,
  run: JobRun,
  ports: JobPorts,
): Promise<Stored<StackJob>> {
  const { id, stack, name, createdAt, updatedAt } = checked
  const now = await ports.stackJobs.find(id)
  if (now?.createdAt !== createdAt) throw notFound(`stack ${stack}: it has no job ${name}`)
  // The lease is also free if the process of the last run died, whose container can go on.
  if (await isUnfinished(now.runs[0], ports)) {
    throw leaseHeld(
      `job ${id}: its last run has not ended, or its container is not removed yet: try again`,
    )
  }
  // Checking it may have taken minutes, such as for a pull.
  const isSame = now.updatedAt === updatedAt
  const begun = isSame ? await beginRun(now, run, undefined, ports) : undefined
  if (begun) return begun
  throw conflict(`job ${id}: it was changed in the meantime: try again`, { reason: 'conflict' })
}

/** Returns the run to record. Nothing is durable after it. */
export const newRun = (by: string, { clock, random }: Needs<'clock' | 'random'>): JobRun => ({
  id: random.id(),
  status: 'running',
  startedAt: clock.now(),
  finishedAt: null,
  by,
  exitCode: null,
  error: null,
})

/**
 * Acquires the lease of a job for a run; undefined while another run has it. Waits for one that has
 * just ended.
 *
 * @throws 409 while the service is paused
 */
export async function acquireJob(
  job: StackJob,
  { id }: Pick<JobRun, 'id'>,
  ports: JobPorts,
): Promise<Lease | undefined> {
  const name = jobLease(job)
  const holder = holderOf(ports.background.processId, id)
  const attempt = () => ports.leases.acquire(name, holder, leaseTime)
  const hasEnded = async (runId: string) => {
    const now = await ports.stackJobs.find(job.id)
    return now?.runs.some((run) => run.id === runId && run.status !== 'running') ?? false
  }
  const lease = await acquireWithRetry(name, attempt, hasEnded, ports)
  if (!lease) return undefined
  try {
    await refuseWhilePaused(ports)
    return lease
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/** Executes a recorded run under its lease, and records how it ended. */
export function runInBackground(
  job: StackJob,
  stack: Pick<StackRecord, 'hostId'>,
  run: JobRun,
  lease: Lease,
  ports: JobPorts,
): StartedJob {
  const finished = new Promise<JobRun>((resolve) => {
    ports.background.run(`job ${job.id}`, async (signal) => {
      let last = run
      const own = { ...ports, composer: ports.composer.inBackground() }
      try {
        await withLeaseRenewal(lease, signal, ports, async (held) => {
          const tail = new OutputTail(logBytesMax)
          const end = await executeJob(job, run, tail, held.signal, own)
          last = { ...run, ...end, finishedAt: ports.clock.now() }
          await finishRun(job, stack, last, tail, ports)
        })
      } finally {
        resolve(last)
      }
    })
  })
  return { run, finished }
}

/**
 * Records the log and the end of a run.
 *
 * @throws what the store throws; `recoverJobs` then ends the run
 */
async function finishRun(
  job: StackJob,
  stack: Pick<StackRecord, 'hostId'>,
  ended: JobRun,
  tail: OutputTail,
  ports: JobPorts,
): Promise<void> {
  const log = tail.read()
  if (log.text !== '') await ports.jobLogs.create({ id: ended.id, ...log })
  const isRecorded = await endRun(job, ended, ports)
  const now = await ports.stackJobs.find(job.id)
  // The job was deleted meanwhile, or keeps fewer runs.
  if (!now?.runs.some(({ id }) => id === ended.id)) await ports.jobLogs.remove(ended.id)
  if (isRecorded) await reportEnd(job, ended, stack, ports)
}
