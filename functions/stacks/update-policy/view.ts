import type { z } from 'zod'
import type { StackRecord } from '../../core/records/stack.ts'
import type { ResolvedPolicy } from '../../core/updates/policy-of.ts'
import type { PolicyTerms } from '../../core/updates/save-policy.ts'
import { editionOf } from '../../kit/entity-tag.ts'
import type { Edition } from '../../kit/if-match.ts'
import { policyFieldsOf, policyFieldsView } from '../../kit/policy-fields.ts'
import type { UpdatePolicy, UpdatePolicyBody } from './schema.ts'

/**
 * Returns the edition of the policy of a stack. That its account is blocked does not change it, and
 * a stack of the same name later has others.
 */
export function policyEdition({
  createdAt,
  updatePolicy,
}: Pick<StackRecord, 'createdAt' | 'updatePolicy'>): Edition {
  const { actsAs, ...terms } = updatePolicy ?? {}
  return editionOf([createdAt, terms, actsAs?.accountId ?? null, actsAs?.since ?? null])
}

/** Returns the policy of a stack in the API's form. */
export function policyView(
  policy: ResolvedPolicy,
  blocked: string | null,
): z.input<typeof UpdatePolicy> {
  const { except, checkpoint = null, after = [], source, tag, actsAs } = policy
  return {
    ...policyFieldsView(policy),
    except,
    checkpoint,
    after,
    source,
    tag,
    acts_as: actsAs?.username ?? null,
    blocked,
  }
}

/** Returns what a request body says. */
export function termsOf(body: z.output<typeof UpdatePolicyBody>): PolicyTerms {
  const { except, checkpoint, after } = body
  return {
    ...policyFieldsOf(body),
    except: [...new Set(except)],
    ...(checkpoint !== null && { checkpoint }),
    ...(after.length > 0 && { after: [...new Set(after)] }),
  }
}
