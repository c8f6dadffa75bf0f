import type { Permission } from './permissions.ts'

/**
 * A role that an administrator created. Its name is its id and never changes, because accounts and
 * role maps refer to it.
 */
export interface CustomRole {
  id: string
  permissions: Permission[]
  /** Milliseconds since the epoch. */
  createdAt: number
}
