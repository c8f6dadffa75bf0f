import { z } from 'zod'
import { type UpdatePolicy, type UpdateWindow, updateModes } from '../core/records/update-policy.ts'
import { isTimezone, scheduleProblem } from '../core/time/schedule.ts'

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

/** What an update policy of a stack, of a tag and of all stacks says. */
export const policyFields = {
  mode: Mode.describe('What happens with newer images'),
  window: Window.nullable().describe(windowText),
  minimum_age_hours: z
    .int()
    .min(0)
    .max(87_600)
    .describe(
      'Hours from when this service first saw a digest until an update may deploy it. A digest that the tag no longer has is never deployed',
    ),
  watch_minutes: z
    .int()
    .min(1)
    .max(60)
    .nullable()
    .describe(
      'Minutes for which each update is watched; `null`: as long as the health checks need, at least one',
    ),
}

/** Whose rights the updates of a policy have. */
export const actsAsField = z
  .string()
  .nullable()
  .describe(
    'User name of the account that saved the policy: its updates have the rights of that account. Null unless `mode` is `apply`',
  )

/** The same in a request, with the values of what is left out. */
export const policyBodyFields = {
  mode: policyFields.mode,
  window: WindowBody.nullable().default(null).describe(windowText),
  minimum_age_hours: policyFields.minimum_age_hours.default(72),
  watch_minutes: policyFields.watch_minutes.default(null),
}

type Terms = Pick<UpdatePolicy, 'mode' | 'window' | 'minimumAgeHours' | 'watchMinutes'>

/** Returns these fields in the API's form. */
export const policyFieldsView = ({ mode, window, minimumAgeHours, watchMinutes }: Terms) => ({
  mode,
  window: window && windowView(window),
  minimum_age_hours: minimumAgeHours,
  watch_minutes: watchMinutes ?? null,
})

const windowView = ({ schedule, timezone, durationMinutes }: UpdateWindow) => ({
  schedule,
  timezone,
  duration_minutes: durationMinutes,
})

const body = z.object(policyBodyFields)

/** Returns what a request says of these fields. */
export const policyFieldsOf = ({
  mode,
  window,
  minimum_age_hours,
  watch_minutes,
}: z.output<typeof body>): Terms => ({
  mode,
  window: window && {
    schedule: window.schedule.trim().replaceAll(/\s+/g, ' '),
    timezone: window.timezone,
    durationMinutes: window.duration_minutes,
  },
  minimumAgeHours: minimum_age_hours,
  ...(watch_minutes !== null && { watchMinutes: watch_minutes }),
})
