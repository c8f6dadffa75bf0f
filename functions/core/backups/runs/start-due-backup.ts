import type { Stored } from '../../ports/collection.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { bindEarlierJobs } from '../jobs/bind-earlier-jobs.ts'
import { changeJob } from '../jobs/job-record.ts'
import { isDue, nextOf } from '../jobs/job-schedule.ts'
import { type ReviewPorts, reviewJob } from '../jobs/review-jobs.ts'
import { acquireBackup } from './acquire-backup.ts'
import { prepareBackup } from './prepare-backup.ts'
import { recordBackup } from './record-backup.ts'
import { type BackupPorts, runInBackground, type StartedRun } from './start-backup.ts'

export type DueBackupPorts = BackupPorts & ReviewPorts

/**
 * Starts a run of a job that is due, in only one of all processes. Returns undefined if another
 * process started it. If an earlier run is still in progress or the job is blocked, the due run is
 * skipped.
 */
export async function startDueBackup(
  due: Stored<BackupJob>,
  ports: DueBackupPorts,
): Promise<StartedRun | undefined> {
  await bindEarlierJobs([due], ports)
  const prepared = prepareBackup(due, 'schedule', ports)
  const lease = await acquireBackup(prepared, ports)
  if (!lease) return skip(due, ports)
  const job = await findRunnable(due.id, ports).catch(async (error) => {
    await ports.leases.release(lease)
    throw error
  })
  if (!job) {
    await ports.leases.release(lease)
    return undefined
  }
  const run = await recordBackup(prepareBackup(job, 'schedule', ports, prepared.id), lease, ports)
  return runInBackground(job, run, lease, ports)
}

/** Returns the job if it is still due and may run. One that is blocked waits for its next time. */
async function findRunnable(
  id: string,
  ports: DueBackupPorts,
): Promise<Stored<BackupJob> | undefined> {
  const job = await ports.backupJobs.find(id)
  const now = ports.clock.now()
  if (!job || !isDue(job, now)) return undefined
  if ((await reviewJob(job, ports)) === null) return job
  const skipBlocked = (found: BackupJob) =>
    isDue(found, now) ? { nextRunAt: nextOf(found, now) } : undefined
  await changeJob(id, skipBlocked, ports)
  return undefined
}

/** Sets the next run of a due job whose earlier run is still in progress. */
async function skip(due: BackupJob, ports: DueBackupPorts): Promise<undefined> {
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
