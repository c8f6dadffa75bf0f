import { skewMax } from './clock-skew.ts'
import { nextRun } from './schedule.ts'

/** When work runs next by its schedule. Milliseconds since the epoch. */
export interface ScheduledRun {
  /** Cron expression of five fields; null: never. */
  schedule: string | null
  /** IANA name of the time zone of the schedule. */
  timezone: string
  nextRunAt: number | null
}

/**
 * Returns whether a run is due or overdue. If the last run is in the future, it is due too: its
 * next run was set by a clock that was ahead.
 */
export const isRunDue = (
  { nextRunAt }: Pick<ScheduledRun, 'nextRunAt'>,
  lastAt: number | null,
  now: number,
): boolean => nextRunAt !== null && (nextRunAt <= now || isOfFuture(lastAt, now))

const hour = 3_600_000

/**
 * Returns whether a run was started while the clock was ahead. The margin of an hour is more than
 * the clocks of processes differ.
 */
export const isOfFuture = (at: number | null, now: number): boolean =>
  at !== null && at > now + hour

/**
 * Returns whether the time of the next run was set by a clock that was ahead: by the current clock
 * it is sooner.
 */
export function isRunPostponed(run: ScheduledRun, now: number): boolean {
  const next = runAfter(run, now + skewMax)
  return next !== null && run.nextRunAt !== null && run.nextRunAt > next
}

/** Returns when work runs next after an instant; null without a schedule. */
export const runAfter = (
  { schedule, timezone }: Pick<ScheduledRun, 'schedule' | 'timezone'>,
  after: number,
): number | null => (schedule === null ? null : nextRun(schedule, timezone, after))
