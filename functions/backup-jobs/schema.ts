import { z } from 'zod'
import { Instant } from '../core/access/fields.ts'
import { RunStatus, SourceKind } from '../core/backups/runs/run-schema.ts'
import { isTimezone, scheduleProblem } from '../core/time/schedule.ts'
import { HostRef, StackName } from '../kit/params.ts'
import { acceptResponse } from '../kit/read-only.ts'
import { Target, TargetBody } from './target-schema.ts'

/** The maximum number of jobs that can exist, and so of a list. */
export const jobsMax = 200

export const JobPath = z.object({ id: z.string().min(1).max(64).describe('Id of the backup job') })

const JobName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/,
    'must be at most 63 letters, digits and . _ -, beginning with a letter or digit',
  )
  .describe('Also the name of a directory at the target')

const VolumeName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/,
    'must be the name of a volume: at most 128 letters, digits and _ . -, beginning with a letter or digit',
  )

const Source = z.object({
  kind: SourceKind.describe('Kind of what is backed up'),
  name: z.string().describe('The name of the stack or volume; `system` for the service'),
})

const SourceBody = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('stack').describe('A stack with its files and named volumes'),
      name: StackName.describe('Name of the stack'),
    })
    .meta({ id: 'StackSource' }),
  z
    .strictObject({
      kind: z.literal('volume').describe('A single volume'),
      name: VolumeName.describe('Name of the volume'),
    })
    .meta({ id: 'VolumeSource' }),
  z
    .strictObject({
      kind: z.literal('system').describe('The state of the service itself'),
      name: z.string().max(128).optional().describe('Ignored'),
    })
    .meta({ id: 'SystemSource' }),
])

const Sources = z
  .array(SourceBody)
  .min(1)
  .max(100)
  .refine((sources) => {
    const keys = sources.map((one) => `${one.kind} ${one.kind === 'system' ? '' : one.name}`)
    return new Set(keys).size === keys.length
  }, 'must not contain anything twice')
  .describe('Stacks with their files and named volumes, single volumes, or the service’s own state')

/** Checks that need the time zone are skipped if it is invalid. */
const Timezone = z
  .string()
  .max(64)
  .refine(isTimezone, { error: 'must be a time zone, such as `Europe/Berlin`', abort: true })

const ServiceRef = z
  .string()
  .regex(
    /^([a-z0-9][a-z0-9_-]{0,62}\/)?[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    'must be a service, as `<service>` or `<stack>/<service>`',
  )

const Hook = z.strictObject({
  service: ServiceRef.describe(
    '`<service>` if the job has one stack, otherwise `<stack>/<service>`',
  ),
  command: z
    .array(
      z
        .string()
        .max(8192)
        .regex(/^[^\0]*$/, 'must not contain a NUL character'),
    )
    .min(1)
    .max(100)
    .refine(([program]) => program !== '', 'must begin with the name of a program')
    .describe(
      'The program and its arguments, run without a shell. An exit code other than 0 is an error',
    ),
})

const keep = z.int().min(1).max(100_000).nullable()

const Retention = z.object({
  keep_last: keep.describe('Keeps this number of newest backups'),
  keep_days: keep.describe('Keeps the backups younger than this number of days'),
})

const StopServices = z
  .union([z.boolean(), z.array(ServiceRef).min(1).max(100)])
  .describe(
    'Services to stop while their data is read and start again afterwards: all services that use the data, or the listed ones',
  )

const fields = {
  name: JobName,
  host: HostRef,
  sources: Sources,
  target: TargetBody.describe('Where backups are stored'),
  schedule: z
    .string()
    .max(256)
    .nullable()
    .describe('A cron expression with five fields; null: the job runs only on request'),
  timezone: Timezone.describe('The time zone of the schedule, an IANA name'),
  retention: z
    .strictObject({
      keep_last: keep
        .default(null)
        .describe('Keeps this number of newest backups; `null` for no such rule'),
      keep_days: keep
        .default(null)
        .describe('Keeps the backups younger than this number of days; `null` for no such rule'),
    })
    .describe(
      'Which backups are kept; with neither field, all of them. The newest successful backup is always kept',
    ),
  encrypt: z.boolean().describe('Backups with the service’s own state are always encrypted'),
  stop_services: StopServices,
  hooks: z
    .strictObject({
      before: Hook.nullable()
        .default(null)
        .describe('Runs before the data is read; `null` for none. If it fails, the backup fails'),
      after: Hook.nullable()
        .default(null)
        .describe('Runs after the data was read; `null` for none'),
    })
    .describe('Commands to run in containers of services. The `after` hook always runs'),
  enabled: z.boolean().describe('false: the schedule is disabled'),
}

const example = {
  name: 'nightly',
  sources: [{ kind: 'stack' as const, name: 'shop' }],
  target: { kind: 'local' as const, path: '' },
  schedule: '30 3 * * *',
  timezone: 'Europe/Berlin',
  retention: { keep_last: 7, keep_days: 30 },
  encrypt: true,
  hooks: {
    before: { service: 'db', command: ['pg_dump', '-U', 'shop', '-f', '/backup/shop.sql', 'shop'] },
  },
}

export const CreateJobBody = z
  .strictObject({
    ...fields,
    host: fields.host.optional(),
    schedule: fields.schedule.default(null),
    timezone: fields.timezone.default('UTC'),
    retention: fields.retention.default({ keep_last: null, keep_days: null }),
    encrypt: fields.encrypt.default(false),
    stop_services: fields.stop_services.default(false),
    hooks: fields.hooks.default({ before: null, after: null }),
    enabled: fields.enabled.default(true),
  })
  .check(({ value, issues }) => {
    const { schedule, timezone } = value
    const problem = schedule === null ? undefined : scheduleProblem(schedule, timezone)
    if (problem) {
      issues.push({ code: 'custom', input: schedule, path: ['schedule'], message: problem })
    }
  })
  .meta({ id: 'CreateBackupJobBody', examples: [example] })

export const jobExample = {
  ...example,
  id: '01978f00-0000-7000-8000-000000000001',
  host: 'local',
  host_name: 'local',
  hooks: { before: example.hooks.before, after: null },
  stop_services: false,
  enabled: true,
  acts_as: { username: 'anna', since: '2026-06-01T12:00:00.000Z', blocked: null },
  next_run_at: '2026-06-02T01:30:00.000Z',
  last_run: null,
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-01T12:00:00.000Z',
}

export const Job = z
  .object({
    id: z.string().describe('Id of the job'),
    name: z.string().describe('Name of the job, also of its directory at the target'),
    host: z.string().describe('Host id'),
    host_name: z.string().nullable().describe('Name of the host; `null` if it was deleted'),
    sources: z.array(Source).describe('What is backed up'),
    target: Target.describe('Where backups are stored, without secrets'),
    schedule: z
      .string()
      .nullable()
      .describe('Cron expression with five fields; `null`: the job runs only on request'),
    timezone: z.string().describe('Time zone of the schedule, an IANA name'),
    retention: Retention.describe('Which backups are kept. The newest successful one always is'),
    encrypt: z.boolean().describe('Whether backups are encrypted'),
    stop_services: z
      .union([z.boolean(), z.array(z.string())])
      .describe(
        'Services that are stopped while their data is read: all that use it, or those listed',
      ),
    hooks: z
      .object({
        before: Hook.nullable().describe('Runs before the data is read; `null` for none'),
        after: Hook.nullable().describe('Runs after the data was read; `null` for none'),
      })
      .describe('Commands that run in containers before and after the data is read'),
    enabled: z.boolean().describe('Whether the schedule is enabled'),
    acts_as: z
      .object({
        username: z
          .string()
          .nullable()
          .describe(
            'Name of the account; `null` for a job of an earlier version whose author is unknown, which acts as the service',
          ),
        since: Instant.describe('When it last saved what the job does'),
        blocked: z
          .string()
          .nullable()
          .describe(
            'Why the job does not run now: its account is gone or lacks a right, or its stack is another one. `null` if it runs. Save what the job does to take it over',
          ),
      })
      .describe('The account whose rights each run has'),
    next_run_at: Instant.nullable().describe(
      'When the job runs next; `null` without an enabled schedule',
    ),
    last_run: z
      .object({
        id: z.string().describe('Id of the run'),
        status: RunStatus.describe('State of the run'),
        started_at: Instant.describe('When the run started'),
        finished_at: Instant.nullable().describe('When the run ended; `null` while it is running'),
        error: z.string().nullable().describe('Why the run failed; `null` if it did not'),
      })
      .nullable()
      .describe('The latest run of the job; `null` if there was none'),
    created_at: Instant.describe('When the job was created'),
    updated_at: Instant.describe('When the job was last changed'),
  })
  .meta({ id: 'BackupJob', examples: [jobExample] })

export const UpdateJobBody = acceptResponse(z.strictObject(fields).partial(), Job).meta({
  id: 'UpdateBackupJobBody',
  examples: [{ enabled: false }],
})
