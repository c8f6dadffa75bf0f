import { createHash } from 'node:crypto'
import type { Accounts } from '../../functions/core/ports/accounts.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Account } from '../../functions/core/records/account.ts'
import { normalName } from '../../functions/core/records/normal-name.ts'
import { nameGuards } from './guards.ts'
import { namedCollection } from './named-collection.ts'
import type { Table } from './table.ts'

/**
 * Stores accounts as a collection (`accounts`, id). Two guards keep names unique:
 * `username#<normalized name>` and `identity#<SHA-256 of issuer and subject>`. An account never
 * changes its identity.
 */
export function storedAccounts(table: Table, clock: Clock): Accounts {
  const { findByName, ...accounts } = namedCollection<Account>(
    table,
    clock,
    'accounts',
    'username',
    accountName,
  )
  const identities = nameGuards(table, clock, 'identity', async (id) => {
    const account = await accounts.find(id)
    return account && identityKey(account.identity)
  })
  return {
    ...accounts,
    findByUsername: findByName,
    async create(account) {
      const key = identityKey(account.identity)
      if (key === undefined) return accounts.create(account)
      const guard = await identities.claim(key, account.id)
      if (!guard) return false
      const created = await accounts.create(account)
      if (!created) await identities.drop(guard)
      return created
    },
    async remove(id, revision) {
      const key = identityKey((await accounts.find(id))?.identity)
      const guard = key === undefined ? undefined : await identities.find(key)
      const removed = await accounts.remove(id, revision)
      if (removed && guard?.id === id) await identities.drop(guard)
      return removed
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

/** Returns the form of the user name that must be unique. */
export const accountName = ({ username }: Account) => normalName(username)

/** Returns the key of the identity's guard, or undefined if the account has no identity. */
export const identityKey = (identity: Account['identity']) =>
  identity
    ? createHash('sha256')
        .update(JSON.stringify([identity.issuer, identity.subject]))
        .digest('hex')
    : undefined
