import type { StackJob, StackJobRun } from '../api/types.ts'
import { failed } from '../failure.ts'
import type { Printer } from './print.ts'
import { clean } from './text.ts'
import { moment, tookOf } from './units.ts'

/** Prints a job of a stack. */
export function showJob(job: StackJob, print: Printer): void {
  print.facts({
    job: job.job,
    stack: job.stack,
    service: job.service,
    command: job.command?.join(' ') ?? 'that of the service',
    schedule: job.schedule === null ? 'on request' : `${job.schedule} ${job.timezone}`,
    enabled: job.enabled ? 'yes' : 'no',
    'next run': moment(job.next_run_at) ?? 'not scheduled',
    timeout: `${job.timeout_seconds} s`,
    'runs kept': String(job.keep_runs),
    'acts as': job.acts_as.username ?? undefined,
    blocked: job.acts_as.blocked ?? undefined,
  })
}

/** Returns the facts of a run. */
export const runFacts = (run: StackJobRun) => ({
  id: run.id,
  status: run.status,
  started: moment(run.started_at),
  took: tookOf(run),
  by: run.by,
  'exit code': run.exit_code === null ? undefined : String(run.exit_code),
  error: run.error ?? undefined,
})

/** Prints the log of a run. */
export function showRun({ log, log_cut: isCut }: StackJobRun, print: Printer): void {
  if (isCut) print.note('the log is cut: these are its last lines')
  for (const line of log?.replace(/\n$/, '').split('\n') ?? []) print.line(clean(line))
}

/** Throws a `CliFailure` if a run did not succeed. */
export function requireGoodRun({ status, error }: StackJobRun, job: string): void {
  if (status === 'succeeded') return
  const words = status === 'failed' ? 'failed' : `was ${status}`
  throw failed(`the job ${clean(job)} ${words}${error ? `: ${clean(error)}` : ''}`)
}
