import type { Reach } from '../../compose/project.ts'
import { Failure } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Caller } from '../records/account.ts'
import type { Saver } from '../records/stack-files.ts'

/**
 * Returns what the projects of a caller may access: the host only with the permission
 * `stacks:privileged`.
 */
export const reachOf = ({ permissions }: Pick<Caller, 'permissions'>): Reach =>
  permissions.has('stacks:privileged') ? 'host' : 'stack'

/** Returns an account as the records of files name it. */
export const saverOf = ({ id, username }: Pick<Account, 'id' | 'username'>): Saver => ({
  id,
  name: username,
})

/**
 * Returns a function that returns whether the caller may read and deploy a stack. `stacks` is
 * limited to the scope of the caller.
 *
 * @param options `evenIfGone`: also a stack that does not exist any more
 */
export function deploysStacks(
  { permissions }: Pick<Caller, 'permissions'>,
  { stacks }: Needs<'stacks'>,
  { evenIfGone = false } = {},
): (stack: string) => Promise<boolean> {
  const may = permissions.has('stacks:read') && permissions.has('stacks:deploy')
  return async (stack) => {
    if (!may) return false
    const isThere = (found: object | undefined) => evenIfGone || found !== undefined
    return stacks.find(stack).then(isThere, (error) => {
      if (error instanceof Failure && error.status === 403) return false
      throw error
    })
  }
}
