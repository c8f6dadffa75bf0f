import type { JobChange } from '../api/types.ts'
import { wrongUsage } from '../failure.ts'
import { durationOf } from './duration.ts'

/** What says when a job of a stack runs, and what is kept of it. */
export const jobFlags = {
  '--schedule <cron>': 'When it runs, a cron expression such as "30 3 * * *"; `none`: on request',
  '--timezone <name>': 'Time zone of the schedule, such as Europe/Berlin; UTC for a new job',
  '--timeout <duration>': 'How long a run may take, up to 1d; 1h for a new job',
  '--keep-runs <number>': 'How many runs are kept with their logs, 1 to 30; 10 for a new job',
} as const

/** The flags that name fields of the API. */
export const jobFields = {
  schedule: '--schedule',
  timezone: '--timezone',
  timeout_seconds: '--timeout',
  keep_runs: '--keep-runs',
} as const

interface JobFlags {
  schedule: string | undefined
  timezone: string | undefined
  timeout: string | undefined
  keepRuns: string | undefined
}

/** Returns the fields that flags set. */
export function readJobFlags({ schedule, timezone, timeout, keepRuns }: JobFlags): JobChange {
  const change: JobChange = {}
  if (schedule !== undefined) change.schedule = schedule === 'none' ? null : schedule
  if (timezone !== undefined) change.timezone = timezone
  if (timeout !== undefined) change.timeout_seconds = durationOf('--timeout', timeout, 's')
  if (keepRuns !== undefined) change.keep_runs = countOf(keepRuns)
  return change
}

function countOf(text: string): number {
  if (/^([1-9]|[12]\d|30)$/.test(text)) return Number(text)
  throw wrongUsage(`--keep-runs ${JSON.stringify(text)}: must be a number from 1 to 30`)
}
