import type { StackJob, StackJobBody } from '../../data/stack-jobs.ts'

/** The form of a job of a stack. */
export interface StackJobDraft {
  job: string
  service: string
  /** A word on each line; empty for the command of the service. */
  command: string
  /** A cron expression; empty for no schedule. */
  schedule: string
  timezone: string
  /** Minutes. */
  timeout: string
  keepRuns: string
}

/** Schedules that the form offers by name. */
export const jobSchedules = ['', '0 3 * * *', '0 * * * *', '0 3 * * 0'] as const

/** Returns what a form begins with: a job, or a usual one. */
export const draftOf = (job: StackJob | undefined): StackJobDraft => ({
  job: job?.job ?? '',
  service: job?.service ?? '',
  command: job?.command?.join('\n') ?? '',
  schedule: job ? (job.schedule ?? '') : jobSchedules[1],
  timezone: job?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  timeout: String((job?.timeout_seconds ?? 3600) / 60),
  keepRuns: String(job?.keep_runs ?? 10),
})

/** Returns the body that saves a job. */
export function bodyOf(draft: StackJobDraft, enabled: boolean): StackJobBody {
  const words = draft.command.split('\n').filter((word) => word !== '')
  return {
    job: draft.job.trim(),
    service: draft.service.trim(),
    command: words.length > 0 ? words : null,
    schedule: draft.schedule.trim() || null,
    timezone: draft.timezone.trim(),
    timeout_seconds: Math.round(Number(draft.timeout) * 60),
    keep_runs: Number(draft.keepRuns),
    enabled,
  }
}

/** Returns whether saving a draft says what the job does, so that it acts as the user then. */
export const isOtherWork = (body: StackJobBody, job: StackJob): boolean =>
  body.service !== job.service || JSON.stringify(body.command) !== JSON.stringify(job.command)
