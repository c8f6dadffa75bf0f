import type { Account } from '../../functions/core/access/account.ts'
import { normalName } from '../../functions/core/access/normal-name.ts'
import type { Accounts } from '../../functions/core/access/ports.ts'
import { memoryCollection } from './collection.ts'

/** Accounts on a map, the normal form of the user name unique. */
export function memoryAccounts(): Accounts {
  const accounts = memoryCollection<Account>((account) => normalName(account.username))
  return {
    ...accounts,
    async findByUsername(name) {
      return (await accounts.list()).find((account) => normalName(account.username) === name)
    },
    async any() {
      return (await accounts.list()).length > 0
    },
  }
}
