import type { z } from 'zod'
import type { StackJob } from '../../core/records/stack-job.ts'
import type { CreateJobBody } from './schema.ts'

type Sent = Omit<z.output<typeof CreateJobBody>, 'job'>

/** Returns the fields of a record that a request body sets. */
export const jobFields = (
  body: Sent,
): Pick<
  StackJob,
  'command' | 'enabled' | 'keepRuns' | 'schedule' | 'service' | 'timeoutSeconds' | 'timezone'
> => ({
  service: body.service,
  command: body.command,
  schedule: body.schedule === null ? null : body.schedule.trim().replaceAll(/\s+/g, ' '),
  timezone: body.timezone,
  timeoutSeconds: body.timeout_seconds,
  keepRuns: body.keep_runs,
  enabled: body.enabled,
})
