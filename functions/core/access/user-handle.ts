import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'

/** Returns an account as authenticators know it, in base64url: by its id, which says no name. */
export const userHandleOf = ({ id }: Pick<Account, 'id'>): string =>
  Buffer.from(id).toString('base64url')

/**
 * Returns the account of a handle, or undefined if there is none. Reads a record in any case, so
 * that it takes as long.
 */
export function accountOfHandle(
  handle: string,
  { accounts }: Needs<'accounts'>,
): Promise<Stored<Account> | undefined> {
  const id = Buffer.from(handle, 'base64url').toString()
  return accounts.find(/^[0-9A-Za-z-]{1,64}$/.test(id) ? id : 'none')
}
