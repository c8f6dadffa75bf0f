import type { Needs } from '../../ports/ports.ts'
import type { BackupRun } from '../../records/backup-run.ts'
import { changeJob } from '../jobs/job-record.ts'
import { isOfFuture, nextOf } from '../jobs/job-schedule.ts'

/**
 * Updates the job's record with its newest run and the time of its next one. A run that was started
 * while the clock was ahead does not count as the newest once the clock is right.
 */
export async function recordLastRun(
  { id, jobId, status, startedAt, finishedAt, error }: BackupRun,
  ports: Needs<'backupJobs' | 'clock'>,
): Promise<void> {
  const lastRun = { id, status, startedAt, finishedAt, error }
  await changeJob(
    jobId,
    (job) => {
      const now = ports.clock.now()
      if (job.lastRun && job.lastRun.id > id && !isOfFuture(job.lastRun, now)) return undefined
      const isNew = job.lastRun?.id !== id
      return { lastRun, ...(isNew && { nextRunAt: nextOf(job, now) }) }
    },
    ports,
  )
}
