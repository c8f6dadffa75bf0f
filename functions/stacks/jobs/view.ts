import type { z } from 'zod'
import { instant, instantOrNull } from '../../core/access/fields.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { JobRun, StackJob } from '../../core/records/stack-job.ts'
import { lastLines } from '../../core/stack-jobs/output-tail.ts'
import { editionOf } from '../../kit/entity-tag.ts'
import type { Edition } from '../../kit/if-match.ts'
import { linesToRead } from '../../kit/params.ts'
import type { Job, LoggedRun, LogQuery } from './schema.ts'

/** Returns the edition of a job. A run, the next time of one, or a block does not change it. */
export const jobEdition = ({ createdAt, updatedAt }: StackJob): Edition =>
  editionOf([createdAt, updatedAt])

/** Returns a job in the API's form. */
export function jobView(job: StackJob): z.input<typeof Job> {
  const { actsAs, skipped } = job
  const [last] = job.runs
  return {
    stack: job.stack,
    job: job.name,
    service: job.service,
    command: job.command,
    schedule: job.schedule,
    timezone: job.timezone,
    timeout_seconds: job.timeoutSeconds,
    keep_runs: job.keepRuns,
    enabled: job.enabled,
    acts_as: {
      username: actsAs.username,
      since: instant(actsAs.since),
      blocked: actsAs.blocked,
    },
    next_run_at: instantOrNull(job.nextRunAt),
    last_run: last ? runView(last) : null,
    last_skipped: skipped && { at: instant(skipped.at), reason: skipped.reason },
    created_at: instant(job.createdAt),
    updated_at: instant(job.updatedAt),
  }
}

const runView = (run: JobRun) => ({
  id: run.id,
  status: run.status,
  started_at: instant(run.startedAt),
  finished_at: instantOrNull(run.finishedAt),
  by: run.by,
  exit_code: run.exitCode,
  error: run.error,
})

/** Returns a run in the API's form with the last lines of its log. */
export async function loggedRunView(
  run: JobRun,
  query: z.output<typeof LogQuery>,
  { jobLogs }: Needs<'jobLogs'>,
): Promise<z.input<typeof LoggedRun>> {
  const log = run.status === 'running' ? undefined : await jobLogs.find(run.id)
  if (!log) return { ...runView(run), log: null, log_cut: false }
  const { text, isCut } = lastLines(log.text, linesToRead(query))
  return { ...runView(run), log: text, log_cut: log.isCut || isCut }
}
