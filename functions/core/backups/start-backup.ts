import { conflict } from '../errors.ts'
import { withLeaseRenewal } from '../leases/lease-renewal.ts'
import type { Stored } from '../ports/collection.ts'
import type { Lease } from '../ports/leases.ts'
import type { Needs } from '../ports/ports.ts'
import type { BackupJob } from '../records/backup-job.ts'
import type { BackupRun } from '../records/backup-run.ts'
import { acquireBackup } from './acquire-backup.ts'
import { type ExecutePorts, executeBackup } from './execute-backup.ts'
import { finishBackup } from './finish-backup.ts'
import { isDue, nextOf } from './job-schedule.ts'
import { changeJob } from './jobs.ts'
import { prepareBackup } from './prepare-backup.ts'
import { recordBackup } from './record-backup.ts'
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
  const prepared = prepareBackup(job, by, ports)
  const lease = await acquireBackup(prepared, ports)
  if (!lease)
    throw conflict(`backup job ${job.name}: a run is in progress`, { reason: 'lease-held' })
  const run = await recordBackup(prepared, lease, ports)
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
  const prepared = prepareBackup(due, 'schedule', ports)
  const lease = await acquireBackup(prepared, ports)
  if (!lease) return skip(due, ports)
  const job = await ports.backupJobs.find(due.id).catch(async (error) => {
    await ports.leases.release(lease)
    throw error
  })
  if (!job || !isDue(job, ports.clock.now())) {
    await ports.leases.release(lease)
    return undefined
  }
  const run = await recordBackup(prepareBackup(job, 'schedule', ports, prepared.id), lease, ports)
  return runInBackground(job, run, lease, ports)
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
      const own = { ...ports, composer: ports.composer.inBackground() }
      try {
        await withLeaseRenewal(lease, signal, ports, async (held) => {
          const end = await executeBackup(job, recorder, held.signal, own)
          await finishBackup(job, end, recorder, held.signal, own)
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
