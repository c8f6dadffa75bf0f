import type { Account } from '../../functions/core/access/account.ts'
import { normalName } from '../../functions/core/access/normal-name.ts'
import type { Accounts } from '../../functions/core/access/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/** Accounts are a collection (`accounts`, id), the normal form of the user name unique (`username#<normal name>`). */
export function dynamoAccounts(table: Table, clock: Clock): Accounts {
  const { findByName, ...accounts } = namedCollection<Account>(
    table,
    clock,
    'accounts',
    'username',
    (account) => normalName(account.username),
  )
  return {
    ...accounts,
    findByUsername: findByName,
    async any() {
      return (await table.query('accounts', { limit: 1 })).length > 0
    },
  }
}
