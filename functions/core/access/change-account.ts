import { conflict, notFound } from '../errors.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account } from '../records/account.ts'
import { normalName } from '../records/normal-name.ts'

/**
 * Returns the account with this id.
 *
 * @throws 404 if it does not exist
 */
export async function getAccount(id: string, ports: Needs<'accounts'>): Promise<Stored<Account>> {
  const account = await ports.accounts.find(id)
  if (!account) throw notFound('there is no such user')
  return account
}

/**
 * Changes the current version of an account, retrying after concurrent writes. Returns the account
 * as written.
 *
 * @throws 404 if the account does not exist, 409 if its new name is taken or eight tries fail
 */
export async function changeAccount(
  id: string,
  ports: Needs<'accounts'>,
  change: (account: Stored<Account>) => Stored<Account> | Promise<Stored<Account>>,
): Promise<Account> {
  for (let tries = 0; tries < 8; tries += 1) {
    const next = await change(await getAccount(id, ports))
    if (await ports.accounts.replace(next)) return next
    const holder = await ports.accounts.findByUsername(normalName(next.username))
    if (holder && holder.id !== id) throw nameTaken(next.username)
  }
  throw conflict('the user is being changed by another request: try again')
}

/** Returns the failure 409: another account has this name or one that compares equal. */
export const nameTaken = (username: string) =>
  conflict(`the user name ${username} is taken`, { reason: 'exists' })
