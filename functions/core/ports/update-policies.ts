import type { InheritedPolicy } from '../records/update-policy.ts'
import type { Collection } from './collection.ts'

/** The update policies that stacks inherit. */
export type UpdatePolicies = Collection<InheritedPolicy>
