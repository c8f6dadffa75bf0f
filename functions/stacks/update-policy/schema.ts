import { z } from 'zod'
import { updateModes } from '../../core/records/update-policy.ts'
import { isTimezone, scheduleProblem } from '../../core/time/schedule.ts'
import { StackName } from '../../kit/params.ts'
import { acceptResponse } from '../../kit/read-only.ts'

const windowFields = {
  schedule: z
    .string()
    .max(256)
    .describe('When it begins: a cron expression with five fields, such as `0 3 * * *`'),
  timezone: z
    .string()
    .max(64)
    .refine(isTimezone, 'must be the name of a time zone, such as Europe/Berlin')
    .describe('The time zone of the schedule, an IANA name'),
  duration_minutes: z
    .int()
    .min(5)
    .max(10_080)
    .describe(
      'Minutes that the window stays open. No update begins after it; one that runs then is finished, watched, and rolled back if it is bad',
    ),
}

const Window = z
  .object(windowFields)
  .meta({ id: 'UpdateWindow', description: 'When updates may begin' })

const WindowBody = z
  .strictObject({ ...windowFields, timezone: windowFields.timezone.default('UTC') })
  .check(({ value, issues }) => {
    const { schedule, timezone } = value
    const problem = scheduleProblem(schedule, timezone)
    if (problem) {
      issues.push({ code: 'custom', input: schedule, path: ['schedule'], message: problem })
    }
  })
  .meta({ id: 'UpdateWindowBody', description: 'When updates may begin' })

const windowText = 'When updates may begin; `null`: at any time'

const Mode = z.enum(updateModes).meta({
  id: 'UpdateMode',
  description:
    '`off`: no registry is asked for the images of the stack. `notify`: newer images are shown, and reported by events and alerts. `apply`: the service also deploys them',
})

const fields = {
  mode: Mode.describe('What happens with newer images'),
  minimum_age_hours: z
    .int()
    .min(0)
    .max(87_600)
    .describe(
      'Hours from when this service first saw a digest until an update may deploy it. A digest that the tag no longer has is never deployed',
    ),
  except: z
    .array(z.string().min(1).max(255))
    .max(200)
    .describe(
      'Names of services whose newer images are never deployed automatically. They may be recreated, with the image that they have, if they use the network of an updated service or depend on it with `restart: true`',
    ),
  watch_minutes: z
    .int()
    .min(1)
    .max(60)
    .nullable()
    .describe(
      'Minutes for which each update is watched; `null`: as long as the health checks need, at least one',
    ),
  after: z
    .array(StackName)
    .max(100)
    .describe(
      'Stacks of the same host that are updated first: updates wait while an update of one is due or in progress, and for an hour after one that was not good. Names of stacks that were deleted since are ignored',
    ),
}

const checkpoint = z
  .string()
  .max(64)
  .nullable()
  .describe(
    'Id of a backup job on the host of the stack that has the stack as a source. It runs before each update, which begins only if that run succeeds. A bad update then goes back with its data, and `POST /stacks/{name}/undo` takes back a good one. `null`: none',
  )

export const UpdatePolicy = z
  .object({
    ...fields,
    checkpoint,
    window: Window.nullable().describe(windowText),
    source: z
      .enum(['stack', 'default'])
      .describe('`stack`: it was saved for this stack. `default`: none was'),
    acts_as: z
      .string()
      .nullable()
      .describe(
        'User name of the account that saved the policy: its updates have the rights of that account. Null unless `mode` is `apply`',
      ),
    blocked: z
      .string()
      .nullable()
      .describe('Why no update may run, such as a right that the account lost; otherwise null'),
  })
  .meta({ id: 'UpdatePolicy', description: 'What happens with newer images of a stack' })

const body = z.strictObject({
  mode: fields.mode,
  window: WindowBody.nullable().default(null).describe(windowText),
  minimum_age_hours: fields.minimum_age_hours.default(72),
  except: fields.except.default([]),
  checkpoint: checkpoint.default(null),
  watch_minutes: fields.watch_minutes.default(null),
  after: fields.after.default([]),
})

export const UpdatePolicyBody = acceptResponse(body, UpdatePolicy).meta({
  id: 'UpdatePolicyBody',
  examples: [
    {
      mode: 'apply',
      window: { schedule: '0 3 * * *', timezone: 'Europe/Berlin', duration_minutes: 120 },
      minimum_age_hours: 72,
      except: ['db'],
      watch_minutes: 10,
      after: ['database'],
    },
  ],
})
