import { z } from 'zod'
import { KeptImage, UnusedImage, unusedImage } from '../../core/images/unused-image-schema.ts'
import { prunedKinds } from '../../core/records/prune-policy.ts'
import { isTimezone, scheduleProblem } from '../../core/time/schedule.ts'
import { Time } from '../../kit/params.ts'
import { acceptResponse } from '../../kit/read-only.ts'

const What = z.enum(prunedKinds).meta({
  id: 'PrunedKind',
  description:
    '`nameless`: images that no container uses and that lost their names, such as to a newer build or pull. `unused`: also those with names, once no container has used them for `unused_days`',
})

const daysMax = 3650
const daysForm = `must be a number of days from 1 to ${daysMax}`
const Days = z.int().min(1).max(daysMax)
const daysText =
  'Days without a container, from when this service first saw that. A pull with this service and other names begin them again. Time does not count in which the service was off for more than an hour'

const Schedule = z.string().max(256)
const scheduleText =
  'When images are removed: a cron expression with five fields, such as `0 4 * * 0`'
const timezoneText = 'The time zone of the schedule, an IANA name'
const whatText = 'Which images are removed'

const Last = z
  .object({
    at: Time.describe('When it ended'),
    removed: z.int().describe('How many images it removed'),
    reclaimed_bytes: z.int().describe('Bytes of disk space that it freed'),
    error: z.string().nullable().describe('Why it failed; otherwise `null`'),
  })
  .meta({ id: 'LastPrune', description: 'The last scheduled prune of a host' })

const example = {
  schedule: '0 4 * * 0',
  timezone: 'Europe/Berlin',
  what: 'unused' as const,
  unused_days: 30,
}

export const PrunePolicy = z
  .object({
    schedule: Schedule.nullable().describe(`${scheduleText}; \`null\`: no policy was saved`),
    timezone: z.string().describe(timezoneText),
    what: What.describe(whatText),
    unused_days: Days.nullable().describe(`${daysText}. Null unless \`what\` is \`unused\``),
    acts_as: z
      .string()
      .nullable()
      .describe(
        'User name of the account that saved the policy: its runs have the rights of that account',
      ),
    blocked: z
      .string()
      .nullable()
      .describe(
        'Why nothing may be removed, such as a right that the account lost; otherwise null',
      ),
    last: Last.nullable().describe('The last run; null before the first'),
    next_at: Time.nullable().describe(
      'When it runs next. A time in the past: as soon as the host responds, no image is built there, and the clock of the service is trusted. Null without a policy',
    ),
  })
  .meta({
    id: 'PrunePolicy',
    description: 'Which images of a host are removed on a schedule',
    examples: [
      {
        ...example,
        acts_as: 'ada',
        blocked: null,
        last: {
          at: '2026-11-22T03:00:04.000Z',
          removed: 3,
          reclaimed_bytes: 640_000_000,
          error: null,
        },
        next_at: '2026-11-29T03:00:00.000Z',
      },
    ],
  })

const body = z.strictObject({
  schedule: Schedule.describe(scheduleText),
  timezone: z
    .string()
    .max(64)
    .refine(isTimezone, {
      error: 'must be the name of a time zone, such as Europe/Berlin',
      abort: true,
    })
    .default('UTC')
    .describe(timezoneText),
  what: What.describe(whatText),
  unused_days: Days.nullable()
    .default(null)
    .describe(`${daysText}. Required if \`what\` is \`unused\`, and only then`),
})

export const PrunePolicyBody = acceptResponse(body, PrunePolicy)
  .check(({ value, issues }) => {
    const { schedule, timezone, what, unused_days } = value
    const report = (path: string, message: string | undefined) => {
      if (message) issues.push({ code: 'custom', input: value, path: [path], message })
    }
    report('schedule', scheduleProblem(schedule, timezone))
    report('unused_days', daysProblem(what, unused_days))
  })
  .meta({ id: 'PrunePolicyBody', examples: [example] })

/** Returns what is wrong with the days of a policy, or undefined. */
export function daysProblem(what: z.output<typeof What>, days: number | null): string | undefined {
  if (what === 'unused') return days === null ? 'is required: `what` is `unused`' : undefined
  return days === null ? undefined : 'is only for images that are `unused`: leave it out'
}

export const PrunePreviewQuery = z.object({
  what: What.optional().describe('As in the policy; defaults to that of the saved one'),
  unused_days: z
    .string()
    .regex(/^\d{1,4}$/, daysForm)
    .transform(Number)
    .refine((days) => days >= 1 && days <= daysMax, daysForm)
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: daysMax,
      description: 'With `what=unused`: days without a container',
    }),
})

const PreviewedImage = UnusedImage.extend({
  unused_since: Time.nullable().describe(
    'Since when this service has seen it unused under its present names; `null` if it has not, or if `what` is `nameless`',
  ),
  due_at: Time.describe('From when on a run removes it'),
}).meta({ id: 'PreviewedImage' })

const previewed = {
  ...unusedImage,
  unused_since: '2026-10-20T03:00:00.000Z',
  due_at: '2026-11-19T03:00:00.000Z',
}

export const PrunePreview = z
  .object({
    run_at: Time.describe('The time of the run: the next one, or now without a policy'),
    images: z.array(PreviewedImage).describe('The images that it would remove'),
    waiting: z
      .array(PreviewedImage)
      .describe('The unused images that are not unused for long enough then'),
    kept: z.array(KeptImage).describe('The unused images that every prune leaves, and why'),
  })
  .meta({
    id: 'PrunePreview',
    description: 'What a scheduled prune would do, if nothing changes before it',
    examples: [{ run_at: '2026-11-29T03:00:00.000Z', images: [previewed], waiting: [], kept: [] }],
  })
