import type { CustomRole } from '../records/custom-role.ts'
import type { Collection } from './collection.ts'

/** The roles that administrators made; the id of a role is its name. */
export type Roles = Collection<CustomRole>
