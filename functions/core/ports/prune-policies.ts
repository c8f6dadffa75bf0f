import type { PrunePolicy } from '../records/prune-policy.ts'
import type { Collection } from './collection.ts'

/** Which images are removed on a schedule, by the id of the host. */
export type PrunePolicies = Collection<PrunePolicy>
