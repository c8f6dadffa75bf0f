import type { Stored } from '../collection.ts'
import { conflict, notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'
import { normalName } from './normal-name.ts'

/** The account of that id. Throws a `Failure` 404. */
export async function getAccount(id: string, ports: Needs<'accounts'>): Promise<Stored<Account>> {
  const account = await ports.accounts.find(id)
  if (!account) throw notFound('there is no such user')
  return account
}

/**
 * Changes an account as it is now, again when somebody was faster. Gives it as it was written. Throws a `Failure` 404
 * when it is gone, 409 when its new name is taken or others never stop.
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
  throw conflict('the user is being changed by others: try again')
}

/** 409: another account has the name, or one that is compared as the same. */
export const nameTaken = (username: string) => conflict(`the user name ${username} is taken`)
