import type { BackupJob } from '../../records/backup-job.ts'
import { skewMax } from '../../time/clock-skew.ts'
import { nextRun } from '../../time/schedule.ts'

/**
 * Returns whether a job is due or overdue. A job whose last run is in the future is due too: its
 * next run was set by a clock that was ahead.
 */
export const isDue = ({ enabled, nextRunAt, lastRun }: BackupJob, now: number) =>
  enabled && nextRunAt !== null && (nextRunAt <= now || isOfFuture(lastRun, now))

const hour = 3_600_000

/**
 * Returns whether a run was started while the clock was ahead. The margin of an hour is more than
 * the clocks of processes differ.
 */
export const isOfFuture = (run: BackupJob['lastRun'], now: number) =>
  run !== null && run.startedAt > now + hour

/**
 * Returns whether the time of a job's next run was set by a clock that was ahead: by the current
 * clock it is sooner.
 */
export const isPostponed = (job: BackupJob, now: number) => {
  const next = job.nextRunAt === null ? null : nextOf(job, now + skewMax)
  return next !== null && job.nextRunAt !== null && job.nextRunAt > next
}

/** Returns when a job runs next by its schedule; null without a schedule or while disabled. */
export const nextOf = ({ schedule, timezone, enabled }: BackupJob, now: number) =>
  schedule === null || !enabled ? null : nextRun(schedule, timezone, now)
