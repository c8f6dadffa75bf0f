import { isPaused } from '../../leases/pause.ts'
import { logFailure } from '../../log-failure.ts'
import type { BackupJob } from '../../records/backup-job.ts'
import { changeJob } from '../jobs/job-record.ts'
import { isDue, isPostponed, nextOf } from '../jobs/job-schedule.ts'
import { runningMax } from './running-max.ts'
import { type DueBackupPorts, startDueBackup } from './start-due-backup.ts'

/**
 * Starts the runs of jobs that are due, longest waiting first. However many runs were missed, one
 * run makes up for them. A job that is blocked does not run. While the service is paused, all stay
 * due.
 */
export async function startDueBackups(ports: DueBackupPorts): Promise<void> {
  const now = ports.clock.now()
  const jobs = await ports.backupJobs.list()
  for (const { id } of jobs.filter((job) => isPostponed(job, now))) await bringForward(id, ports)
  const due = jobs.filter((job) => isDue(job, now))
  if (due.length === 0 || (await isPaused(ports))) return
  const unfinished = await ports.backupRuns.listUnfinished()
  let running = unfinished.filter(({ status }) => status === 'running').length
  for (const job of due.sort(byNextRun)) {
    if (running >= runningMax) return
    try {
      if (await startDueBackup(job, ports)) running += 1
    } catch (error) {
      logFailure(ports.log, 'a backup could not be started', { job: job.id, name: job.name, error })
    }
  }
}

/** Corrects the next run of a job that was set by a clock that was ahead. */
async function bringForward(id: string, ports: DueBackupPorts): Promise<void> {
  const now = ports.clock.now()
  const next = (job: BackupJob) =>
    isPostponed(job, now) ? { nextRunAt: nextOf(job, now) } : undefined
  await changeJob(id, next, ports).catch((error) => {
    logFailure(ports.log, 'the next run of a backup job could not be scheduled', { job: id, error })
  })
}

const byNextRun = (a: BackupJob, b: BackupJob) => (a.nextRunAt ?? 0) - (b.nextRunAt ?? 0)
