import { conflict } from '../errors.ts'
import { holderOf } from '../leases/acquire-with-retry.ts'
import { withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import { type BackupRun, noProgress, runLease } from '../records/backup-run.ts'
import { acquireRunLease } from './acquire-run-lease.ts'
import { type ExecutePorts, executeBackup } from './execute-backup.ts'
import { finishBackup } from './finish-backup.ts'
import { isDue, nextOf } from './job-schedule.ts'
import { changeJob } from './jobs.ts'
import { recordLastRun } from './last-run.ts'
import { recordRun } from './recorder.ts'

export type BackupPorts = ExecutePorts &
  Needs<'background' | 'leases' | 'random' | 'retentionStates'>

/** A run that was started. */
export interface StartedRun {
  run: BackupRun
  /** Resolves with the run once its end is recorded. Never rejects. */
  finished: Promise<BackupRun>
}

/**
 * Starts a run of a job.
 *
 * @param by the name of the user
 * @throws 409 while another run of the job is in progress
 */
export async function startBackup(
  job: Stored<BackupJob>,
  by: string,
  ports: BackupPorts,
): Promise<StartedRun> {
  const prepared = prepare(job, by, ports)
  const lease = await acquire(prepared, ports)
  if (!lease)
    throw conflict(`backup job ${job.name}: a run is in progress`, { reason: 'lease-held' })
  const run = await record(prepared, lease, ports)
  return runInBackground(job, run, lease, ports)
}

/**
 * Starts a run of a job that is due, in only one of all processes. Returns undefined if another
 * process started it. If an earlier run is still in progress, the due run is skipped.
 */
export async function startDueBackup(
  due: Stored<BackupJob>,
  ports: BackupPorts,
): Promise<StartedRun | undefined> {
  const prepared = prepare(due, 'schedule', ports)
  const lease = await acquire(prepared, ports)
  if (!lease) return skip(due, ports)
  const job = await ports.backupJobs.find(due.id).catch(async (error) => {
    await ports.leases.release(lease)
    throw error
  })
  if (!job || !isDue(job, ports.clock.now())) {
    await ports.leases.release(lease)
    return undefined
  }
  const run = await record({ ...prepare(job, 'schedule', ports), id: prepared.id }, lease, ports)
  return runInBackground(job, run, lease, ports)
}

/** Returns the run to record for a job. Nothing is durable after it. */
function prepare(job: BackupJob, by: string, ports: BackupPorts): BackupRun {
  const id = ports.random.id()
  const directory = `${job.name}/${id}`
  return {
    id,
    kind: 'backup',
    jobId: job.id,
    jobName: job.name,
    hostId: job.hostId,
    status: 'running',
    error: null,
    startedAt: ports.clock.now(),
    finishedAt: null,
    by,
    target: job.target,
    directory,
    location: ports.backupTargets.location(job.target, directory),
    encrypted: isEncrypted(job),
    size: 0,
    sha256: null,
    contents: [],
    progress: noProgress,
    stopped: [],
    leftovers: true,
    fence: 0,
    warnings: [],
  }
}

/**
 * Returns whether the runs of a job are encrypted. Backups of the service's own state always are.
 */
export const isEncrypted = ({ encrypt, sources }: Pick<BackupJob, 'encrypt' | 'sources'>) =>
  encrypt || sources.some(({ kind }) => kind === 'system')

/** How long a job stays locked after its holder died. Milliseconds. */
const leaseTime = 10_000

/**
 * Acquires the lease of the run's job; undefined while another run has it. Durable after it: the
 * lease, for ten seconds.
 */
const acquire = (run: BackupRun, ports: BackupPorts): Promise<Lease | undefined> =>
  acquireRunLease(runLease(run), holderOf(ports.background.processId, run.id), leaseTime, ports)

/**
 * Creates the record of a run. Durable after it: a run with the status `running`, which the job
 * names as its newest. If this process dies from here on, `reapBackups` ends the run.
 */
async function record(prepared: BackupRun, lease: Lease, ports: BackupPorts): Promise<BackupRun> {
  try {
    const run = { ...prepared, fence: lease.fence }
    await ports.backupRuns.create(run)
    await recordLastRun(run, ports)
    return run
  } catch (error) {
    await ports.leases.release(lease)
    throw error
  }
}

/**
 * Executes a recorded run under its lease and records how it ended.
 */
function runInBackground(
  job: BackupJob,
  run: BackupRun,
  lease: Lease,
  ports: BackupPorts,
): StartedRun {
  const finished = new Promise<BackupRun>((resolve) => {
    ports.background.run(`backup ${job.name}`, async (signal) => {
      const recorder = recordRun(run, ports)
      try {
        await withLeaseRenewal(lease, signal, ports, async (held) => {
          const end = await executeBackup(job, recorder, held.signal, ports)
          await finishBackup(job, end, recorder, held.signal, ports)
        })
      } finally {
        resolve(recorder.run)
      }
    })
  })
  return { run, finished }
}

/** Sets the next run of a due job whose earlier run is still in progress. */
async function skip(due: BackupJob, ports: BackupPorts): Promise<undefined> {
  const now = ports.clock.now()
  // Otherwise another process has just started this run.
  const isInTheWay = ({ lastRun, nextRunAt }: BackupJob) =>
    nextRunAt !== null &&
    nextRunAt === due.nextRunAt &&
    lastRun?.status === 'running' &&
    lastRun.startedAt < nextRunAt
  const isSkipped = await changeJob(
    due.id,
    (job) => (isInTheWay(job) ? { nextRunAt: nextOf(job, now) } : undefined),
    ports,
  )
  if (isSkipped) {
    ports.log.warn('a backup was skipped: the previous one is still running', {
      job: due.id,
      name: due.name,
    })
  }
  return undefined
}
