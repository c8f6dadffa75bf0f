import type { Accounts } from '../../../functions/core/ports/accounts.ts'
import type { Account } from '../../../functions/core/records/account.ts'
import { normalName } from '../../../functions/core/records/normal-name.ts'
import { memoryCollection } from './collection.ts'

/** Returns an in-memory store of accounts. The normalized user name and the identity are unique. */
export function memoryAccounts(): Accounts {
  const accounts = memoryCollection<Account>(({ username, identity }) => [
    `name ${normalName(username)}`,
    ...(identity ? [`identity ${JSON.stringify([identity.issuer, identity.subject])}`] : []),
  ])
  return {
    ...accounts,
    async findByUsername(name) {
      return (await accounts.list()).find((account) => normalName(account.username) === name)
    },
    async findByIdentity({ issuer, subject }) {
      return (await accounts.list()).find(
        ({ identity }) => identity?.issuer === issuer && identity.subject === subject,
      )
    },
    async any() {
      return (await accounts.list()).length > 0
    },
  }
}
