import type { Caller } from '../access/account.ts'
import type { Reach } from '../compose/project.ts'

/** What a caller's projects may reach: their host only with the permission `stacks:privileged`. */
export const reachOf = ({ permissions }: Pick<Caller, 'permissions'>): Reach =>
  permissions.has('stacks:privileged') ? 'host' : 'stack'
