import type { Account } from '../../functions/core/access/account.ts'
import { normalName } from '../../functions/core/access/normal-name.ts'
import type { Accounts, Clock } from '../../functions/core/ports.ts'
import { dynamoCollection } from './collection.ts'
import { type Guards, nameGuards } from './guards.ts'
import type { Table } from './table.ts'

/**
 * Accounts are a collection (`accounts`, id) with a guard per user name (`username#<normal name>`) that is written before
 * the account. The guard leads from the name to the id.
 */
export function dynamoAccounts(table: Table, clock: Clock): Accounts {
  const accounts = dynamoCollection<Account>(table, 'accounts')
  const guards: Guards = nameGuards(table, clock, 'username', async (id) => {
    const account = await accounts.find(id)
    return account && normalName(account.username)
  })
  return {
    ...accounts,
    async create(account) {
      const name = normalName(account.username)
      if (!(await guards.claim(name, account.id))) return false
      if (await accounts.create(account)) return true
      await guards.drop(name, account.id)
      return false
    },
    async replace(account) {
      const before = await accounts.find(account.id)
      if (before?.revision !== account.revision) return false
      const [was, next] = [normalName(before.username), normalName(account.username)]
      if (was === next) return accounts.replace(account)
      if (!(await guards.claim(next, account.id))) return false
      const replaced = await accounts.replace(account)
      await guards.drop(replaced ? was : next, account.id)
      return replaced
    },
    async remove(id) {
      const account = await accounts.find(id)
      const removed = await accounts.remove(id)
      if (account) await guards.drop(normalName(account.username), id)
      return removed
    },
    async findByUsername(name) {
      const id = await guards.holder(name)
      const account = id === undefined ? undefined : await accounts.find(id)
      return account && normalName(account.username) === name ? account : undefined
    },
    async any() {
      return (await table.query('accounts', { limit: 1 })).length > 0
    },
  }
}
