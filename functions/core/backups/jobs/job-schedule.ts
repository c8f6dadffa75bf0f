import type { BackupJob } from '../../records/backup-job.ts'
import {
  isRunDue,
  isRunPostponed,
  isOfFuture as isTimeOfFuture,
  runAfter,
} from '../../time/scheduled-run.ts'

/**
 * Returns whether a job is due or overdue. A job whose last run is in the future is due too: its
 * next run was set by a clock that was ahead.
 */
export const isDue = (job: BackupJob, now: number) =>
  job.enabled && isRunDue(job, job.lastRun?.startedAt ?? null, now)

/** Returns whether a run was started while the clock was ahead. */
export const isOfFuture = (run: BackupJob['lastRun'], now: number) =>
  run !== null && isTimeOfFuture(run.startedAt, now)

/**
 * Returns whether the time of a job's next run was set by a clock that was ahead: by the current
 * clock it is sooner.
 */
export const isPostponed = (job: BackupJob, now: number) => job.enabled && isRunPostponed(job, now)

/** Returns when a job runs next by its schedule; null without a schedule or while disabled. */
export const nextOf = (job: BackupJob, now: number) => (job.enabled ? runAfter(job, now) : null)
