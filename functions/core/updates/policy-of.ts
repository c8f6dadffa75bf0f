import type { StackRecord } from '../records/stack.ts'
import type { UpdatePolicy } from '../records/update-policy.ts'

/** The policy of a stack for which none was saved. */
const defaultPolicy: UpdatePolicy = {
  mode: 'notify',
  window: null,
  minimumAgeHours: 72,
  except: [],
}

/** Returns what happens with newer images of a stack. */
export const policyOf = ({ updatePolicy }: Pick<StackRecord, 'updatePolicy'>): UpdatePolicy =>
  updatePolicy ?? defaultPolicy
