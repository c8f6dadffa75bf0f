import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import type { ActsAs } from '../records/acts-as.ts'
import { bindStacks } from './bound-stacks.ts'

/**
 * Returns the record of work that this account saves now. The caller has checked that the account
 * may do all of the work.
 *
 * @param stacks the names of the stacks that the work is about
 */
export const bindAccount = async (
  { id, username }: Pick<Account, 'id' | 'username'>,
  stacks: Iterable<string>,
  ports: Needs<'clock' | 'stacks'>,
): Promise<ActsAs> => ({
  accountId: id,
  username,
  since: ports.clock.now(),
  stacks: await bindStacks(stacks, ports),
  blocked: null,
})
