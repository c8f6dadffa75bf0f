import type { SecondFactor } from '../records/account.ts'
import type { Collection } from './collection.ts'

/** Second factors by id, encrypted at rest. Only the one that an account refers to is valid. */
export type SecondFactors = Collection<SecondFactor>
