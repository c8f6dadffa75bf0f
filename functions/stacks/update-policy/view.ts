import type { z } from 'zod'
import type { StackRecord } from '../../core/records/stack.ts'
import type { UpdatePolicy as UpdatePolicyRecord } from '../../core/records/update-policy.ts'
import { policyOf } from '../../core/updates/policy-of.ts'
import type { PolicyTerms } from '../../core/updates/save-policy.ts'
import { editionOf } from '../../kit/entity-tag.ts'
import type { Edition } from '../../kit/if-match.ts'
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
  stack: Pick<StackRecord, 'updatePolicy'>,
  blocked: string | null,
): z.input<typeof UpdatePolicy> {
  const {
    mode,
    window,
    minimumAgeHours,
    except,
    checkpoint = null,
    watchMinutes,
    after = [],
    actsAs,
  } = policyOf(stack)
  return {
    mode,
    window: window && windowView(window),
    minimum_age_hours: minimumAgeHours,
    except,
    checkpoint,
    watch_minutes: watchMinutes ?? null,
    after,
    source: stack.updatePolicy ? 'stack' : 'default',
    acts_as: actsAs?.username ?? null,
    blocked,
  }
}

const windowView = ({
  schedule,
  timezone,
  durationMinutes,
}: NonNullable<UpdatePolicyRecord['window']>) => ({
  schedule,
  timezone,
  duration_minutes: durationMinutes,
})

/** Returns what a request body says. */
export function termsOf({
  mode,
  window,
  minimum_age_hours,
  except,
  checkpoint,
  watch_minutes,
  after,
}: z.output<typeof UpdatePolicyBody>): PolicyTerms {
  return {
    mode,
    window: window && {
      schedule: window.schedule.trim().replaceAll(/\s+/g, ' '),
      timezone: window.timezone,
      durationMinutes: window.duration_minutes,
    },
    minimumAgeHours: minimum_age_hours,
    except: [...new Set(except)],
    ...(checkpoint !== null && { checkpoint }),
    ...(watch_minutes !== null && { watchMinutes: watch_minutes }),
    ...(after.length > 0 && { after: [...new Set(after)] }),
  }
}
