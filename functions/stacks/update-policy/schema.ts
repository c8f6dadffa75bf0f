import { z } from 'zod'
import { policySources } from '../../core/updates/policy-of.ts'
import { StackName } from '../../kit/params.ts'
import { actsAsField, policyBodyFields, policyFields } from '../../kit/policy-fields.ts'
import { acceptResponse } from '../../kit/read-only.ts'

const fields = {
  ...policyFields,
  except: z
    .array(z.string().min(1).max(255))
    .max(200)
    .describe(
      'Names of services whose newer images are never deployed automatically. They may be recreated, with the image that they have, if they use the network of an updated service or depend on it with `restart: true`',
    ),
  after: z
    .array(StackName)
    .max(100)
    .describe(
      'Stacks of the same host that are updated first: updates wait while an update of one is due or in progress, and for an hour after one that changed containers and was not good. Names of stacks that were deleted since are ignored',
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
    source: z
      .enum(policySources)
      .describe(
        'Where it was saved. `stack`: for this stack. `tag`: for a tag of its host. `default`: for all stacks. `none`: nowhere',
      ),
    tag: z
      .string()
      .nullable()
      .describe('The tag of the host that it was saved for; null unless `source` is `tag`'),
    acts_as: actsAsField,
    blocked: z
      .string()
      .nullable()
      .describe(
        'Why no update may run, such as a right that the account lost, or an update of the same host that cannot be taken back; otherwise null',
      ),
  })
  .meta({ id: 'UpdatePolicy', description: 'What happens with newer images of a stack' })

const body = z.strictObject({
  ...policyBodyFields,
  except: fields.except.default([]),
  checkpoint: checkpoint.default(null),
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
