import { z } from 'zod'
import { Instant } from '../../core/access/fields.ts'
import { jobsMax, keepRunsMax, logBytesMax, timeoutMax } from '../../core/stack-jobs/limits.ts'
import { isTimezone, scheduleProblem } from '../../core/time/schedule.ts'
import { StackName, tail } from '../../kit/params.ts'
import { acceptResponse } from '../../kit/read-only.ts'

const JobName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,62}$/,
    'must be at most 63 lower-case letters, digits, - and _, beginning with a letter or digit',
  )

export const JobPath = z.object({
  name: StackName.describe('Name of the stack'),
  job: JobName.describe('Name of the job'),
})

export const RunPath = JobPath.extend({
  id: z.string().min(1).max(64).describe('Id of the run'),
})

/** The query of reads that return logs of runs. */
export const LogQuery = z.object({
  tail: tail.meta({
    description: 'Number of lines of each log, counted from the end; defaults to 100',
  }),
})

/** The most characters of a command. */
const commandMax = 16_384

const Command = z
  .array(z.string().regex(/^[^\0]*$/, 'must not contain a NUL character'))
  .min(1)
  .max(100)
  .refine(([program]) => program !== '', 'must begin with the name of a program')
  .refine(
    (words) => words.join(' ').length <= commandMax,
    `must have at most ${commandMax} characters`,
  )
  .nullable()

/** Checks that need the time zone are skipped if it is invalid. */
const Timezone = z
  .string()
  .max(64)
  .refine(isTimezone, { error: 'must be a time zone, such as `Europe/Berlin`', abort: true })

const fields = {
  service: z
    .string()
    .min(1)
    .max(128)
    .describe('Service whose container is created for each run, as it was last deployed'),
  command: Command.describe(
    'Arguments of the entrypoint, run without a shell; `null` for the command of the service',
  ),
  schedule: z
    .string()
    .max(256)
    .nullable()
    .describe('A cron expression with five fields; `null`: the job runs only on request'),
  timezone: Timezone.describe('The time zone of the schedule, an IANA name'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(timeoutMax)
    .describe('How long a run may take, with the wait for other operations of the stack'),
  keep_runs: z.int().min(1).max(keepRunsMax).describe('How many runs are kept, with their logs'),
  enabled: z.boolean().describe('false: the schedule is disabled'),
}

const example = {
  job: 'nightly',
  service: 'web',
  command: ['npm', 'run', 'clean-up'],
  schedule: '30 3 * * *',
  timezone: 'Europe/Berlin',
}

export const CreateJobBody = z
  .strictObject({
    job: JobName.describe('Name of the job, unique in its stack'),
    ...fields,
    command: fields.command.default(null),
    schedule: fields.schedule.default(null),
    timezone: fields.timezone.default('UTC'),
    timeout_seconds: fields.timeout_seconds.default(3600),
    keep_runs: fields.keep_runs.default(10),
    enabled: fields.enabled.default(true),
  })
  .check(({ value, issues }) => {
    const { schedule, timezone } = value
    const problem = schedule === null ? undefined : scheduleProblem(schedule, timezone)
    if (problem) {
      issues.push({ code: 'custom', input: schedule, path: ['schedule'], message: problem })
    }
  })
  .meta({ id: 'CreateStackJobBody', examples: [example] })

const RunStatus = z
  .enum(['running', 'succeeded', 'failed', 'interrupted'])
  .meta({ id: 'StackJobRunStatus', description: 'How far a run of a job is, or how it ended' })

const runFields = {
  id: z.string().describe('Id of the run'),
  status: RunStatus.describe('`interrupted`: the process that ran it ended'),
  started_at: Instant.describe('When the run started'),
  finished_at: Instant.nullable().describe('When the run ended; `null` while it is running'),
  by: z.string().describe('User name, or `schedule`'),
  exit_code: z
    .int()
    .nullable()
    .describe('Exit code of the command; `null` while it runs, or if it did not end by itself'),
  error: z.string().nullable().describe('Why the run failed; `null` if it did not'),
}

const runExample = {
  id: '01978f00-0000-7000-8000-000000000002',
  status: 'failed' as const,
  started_at: '2026-06-02T01:30:00.000Z',
  finished_at: '2026-06-02T01:30:04.000Z',
  by: 'schedule',
  exit_code: 3,
  error: 'it ended with code 3',
}

const Run = z.object(runFields).meta({
  id: 'StackJobRun',
  description: 'A run of a job, without its log',
  examples: [runExample],
})

export const LoggedRun = z
  .object({
    ...runFields,
    log: z
      .string()
      .nullable()
      .describe(
        `The end of what the command wrote on both outputs, at most ${logBytesMax} bytes of it; \`null\` while it runs, and if it wrote nothing`,
      ),
    log_cut: z.boolean().describe('Whether the command wrote more than `log` has'),
  })
  .meta({
    id: 'StackJobRunDetails',
    description: 'A run of a job with its log',
    examples: [{ ...runExample, log: 'cannot reach db\n', log_cut: false }],
  })

export const Runs = z.array(LoggedRun).max(keepRunsMax)

export const Job = z
  .object({
    stack: z.string().describe('Name of the stack'),
    job: z.string().describe('Name of the job'),
    service: z.string().describe('Service whose container is created for each run'),
    command: z
      .array(z.string())
      .nullable()
      .describe('Arguments of the entrypoint; `null` for the command of the service'),
    schedule: z
      .string()
      .nullable()
      .describe('Cron expression with five fields; `null`: the job runs only on request'),
    timezone: z.string().describe('Time zone of the schedule, an IANA name'),
    timeout_seconds: z.int().describe('How long a run may take'),
    keep_runs: z.int().describe('How many runs are kept, with their logs'),
    enabled: z.boolean().describe('Whether the schedule is enabled'),
    acts_as: z
      .object({
        username: z.string().nullable().describe('Name of the account; `null` if it has none'),
        since: Instant.describe('When it last saved what the job does'),
        blocked: z
          .string()
          .nullable()
          .describe(
            'Why the job does not run now: its account is gone or lacks a right. `null` if it runs. Save `service` or `command` to take it over',
          ),
      })
      .describe('The account whose rights each run has'),
    next_run_at: Instant.nullable().describe(
      'When the job runs next; `null` without an enabled schedule',
    ),
    last_run: Run.nullable().describe('The latest run; `null` if there was none'),
    last_skipped: z
      .object({
        at: Instant.describe('When it should have run'),
        reason: z.string().describe('Why it did not'),
      })
      .nullable()
      .describe('The last scheduled time at which it did not run; `null` if there was none'),
    created_at: Instant.describe('When the job was created'),
    updated_at: Instant.describe('When a user last changed the job'),
  })
  .meta({
    id: 'StackJob',
    examples: [
      {
        stack: 'shop',
        ...example,
        timeout_seconds: 3600,
        keep_runs: 10,
        enabled: true,
        acts_as: { username: 'anna', since: '2026-06-01T12:00:00.000Z', blocked: null },
        next_run_at: '2026-06-03T01:30:00.000Z',
        last_run: runExample,
        last_skipped: null,
        created_at: '2026-06-01T12:00:00.000Z',
        updated_at: '2026-06-01T12:00:00.000Z',
      },
    ],
  })

export const Jobs = z.array(Job).max(jobsMax)

export const UpdateJobBody = acceptResponse(z.strictObject(fields).partial(), Job).meta({
  id: 'UpdateStackJobBody',
  examples: [{ enabled: false }],
})
