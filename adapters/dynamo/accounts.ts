import { createHash } from 'node:crypto'
import type { Account } from '../../functions/core/access/account.ts'
import { normalName } from '../../functions/core/access/normal-name.ts'
import type { Accounts } from '../../functions/core/access/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { dynamoCollection } from './collection.ts'
import { type Guards, nameGuards } from './guards.ts'
import type { Table } from './table.ts'

/**
 * Accounts are a collection (`accounts`, id) with a guard per user name (`username#<normal name>`) that is written before
 * the account, and one per identity (`identity#<SHA-256 of issuer and subject>`). A guard leads from the name to the id.
 */
export function dynamoAccounts(table: Table, clock: Clock): Accounts {
  const accounts = dynamoCollection<Account>(table, 'accounts')
  const guards: Guards = nameGuards(table, clock, 'username', async (id) => {
    const account = await accounts.find(id)
    return account && normalName(account.username)
  })
  const identities: Guards = nameGuards(table, clock, 'identity', async (id) => {
    const account = await accounts.find(id)
    return account && identityKey(account.identity)
  })
  const createNamed = async (account: Account) => {
    const guard = await guards.claim(normalName(account.username), account.id)
    if (!guard) return false
    const created = await accounts.create(account)
    if (!created) await guards.drop(guard)
    return created
  }
  return {
    ...accounts,
    async create(account) {
      const key = identityKey(account.identity)
      if (key === undefined) return createNamed(account)
      const guard = await identities.claim(key, account.id)
      if (!guard) return false
      const created = await createNamed(account)
      if (!created) await identities.drop(guard)
      return created
    },
    async replace(account) {
      const before = await accounts.find(account.id)
      if (before?.revision !== account.revision) return false
      const [was, next] = [normalName(before.username), normalName(account.username)]
      if (was === next) return accounts.replace(account)
      const old = await guards.find(was)
      const guard = await guards.claim(next, account.id)
      if (!guard) return false
      const replaced = await accounts.replace(account)
      if (!replaced) await guards.drop(guard)
      else if (old?.id === account.id) await guards.drop(old)
      return replaced
    },
    async remove(id) {
      const account = await accounts.find(id)
      const guard = account && (await guards.find(normalName(account.username)))
      const key = identityKey(account?.identity)
      const identity = key === undefined ? undefined : await identities.find(key)
      const removed = await accounts.remove(id)
      if (guard?.id === id) await guards.drop(guard)
      if (identity?.id === id) await identities.drop(identity)
      return removed
    },
    async findByUsername(name) {
      const guard = await guards.find(name)
      const account = guard && (await accounts.find(guard.id))
      return account && normalName(account.username) === name ? account : undefined
    },
    async findByIdentity(identity) {
      const key = identityKey(identity)
      const guard = key === undefined ? undefined : await identities.find(key)
      const account = guard && (await accounts.find(guard.id))
      return account && identityKey(account.identity) === key ? account : undefined
    },
    async any() {
      return (await table.query('accounts', { limit: 1 })).length > 0
    },
  }
}

const identityKey = (identity: Account['identity']) =>
  identity
    ? createHash('sha256')
        .update(JSON.stringify([identity.issuer, identity.subject]))
        .digest('hex')
    : undefined
