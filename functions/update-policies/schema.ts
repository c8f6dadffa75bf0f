import { z } from 'zod'
import type { InheritedPolicy as InheritedPolicyRecord } from '../core/records/update-policy.ts'
import {
  actsAsField,
  policyBodyFields,
  policyFields,
  policyFieldsView,
} from '../kit/policy-fields.ts'
import { acceptResponse } from '../kit/read-only.ts'

export const policiesMax = 1000

const name = z
  .string()
  .regex(
    /^(default|tag:[a-z0-9][a-z0-9-]{0,31})$/,
    'must be `default`, or `tag:` and a tag of hosts',
  )
  .meta({ examples: ['tag:cellar'] })
  .describe('`default` for all stacks, or `tag:` and a tag of hosts for the stacks on these hosts')

export const PolicyPath = z.object({ name })

export const InheritedPolicy = z
  .object({
    of: name,
    ...policyFields,
    acts_as: actsAsField,
    blocked: z
      .string()
      .nullable()
      .describe(
        'Why no update may run on any host, such as a right that the account lost; otherwise null. The policy of a stack says why none may run there',
      ),
  })
  .meta({
    id: 'InheritedUpdatePolicy',
    description: 'What happens with newer images of stacks that have no policy of their own',
  })

export const inheritedExample = {
  of: 'tag:cellar',
  mode: 'apply' as const,
  window: { schedule: '0 3 * * *', timezone: 'Europe/Berlin', duration_minutes: 120 },
  minimum_age_hours: 72,
  watch_minutes: null,
  acts_as: 'ada',
  blocked: null,
}

export const InheritedPolicyBody = acceptResponse(
  z.strictObject(policyBodyFields),
  InheritedPolicy,
).meta({
  id: 'InheritedUpdatePolicyBody',
  examples: [{ mode: 'apply', window: inheritedExample.window, minimum_age_hours: 72 }],
})

/** Returns an inherited policy in the API's form. */
export const inheritedView = (
  policy: InheritedPolicyRecord,
  blocked: string | null,
): z.input<typeof InheritedPolicy> => ({
  of: policy.id,
  ...policyFieldsView(policy),
  acts_as: policy.actsAs?.username ?? null,
  blocked,
})
