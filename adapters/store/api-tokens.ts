import type { ApiTokens } from '../../functions/core/ports/api-tokens.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { ApiToken, RecordedRights } from '../../functions/core/records/account.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/** Milliseconds. How long an expired token is still listed. */
const shownAfterExpiry = 30 * 86_400_000
/** Milliseconds. The minimum time between two updates of `lastUsedAt`. */
const touchEvery = 60_000

/**
 * Stores a token as one item under its hash (`token#<hash>`), so that authenticating a request is
 * one read. A row (`tokens`, id) maps the id to the hash; it is written before the token and
 * removed after it. Rights and the last use are attributes of their own, because they may be
 * written later.
 */
export function storedApiTokens(table: Table, clock: Clock): ApiTokens {
  const touched = new Map<string, number>()
  const at = (hash: unknown) => ({ pk: `token#${hash}`, sk: '-' })
  const byHash = async (hash: unknown) => {
    const item = await table.get(`token#${hash}`, '-')
    return item && tokenOf(item)
  }
  return {
    async find(id) {
      const row = await table.get('tokens', id)
      return row && byHash(row.hash)
    },
    async findByHash(hash) {
      const token = await byHash(hash)
      return token && (token.expiresAt ?? Infinity) > clock.now() ? token : undefined
    },
    async list(accountId) {
      const rows = await table.query('tokens')
      const wanted = rows.filter((row) => accountId === undefined || row.account === accountId)
      const tokens = (await table.getMany(wanted.map((row) => at(row.hash)))).map(tokenOf)
      return tokens.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    async create(token) {
      const { id, hash, accountId, rights, lastUsedAt, ...rest } = token
      const ttl = ttlAt(token.expiresAt && token.expiresAt + shownAfterExpiry)
      await table.put({ pk: 'tokens', sk: id, hash, account: accountId, ttl })
      const fixed = packed({ id, hash, accountId, ...rest })
      const more = { used: lastUsedAt ?? undefined, rights: rights && JSON.stringify(rights) }
      await table.put({ ...at(hash), rev: newRevision(), ...more, ttl, ...fixed }, absent)
    },
    async recordRights(id, rights) {
      const row = await table.get('tokens', id)
      if (!row) return
      await table.update(at(row.hash), {
        set: '#rights = :rights',
        if: 'attribute_exists(#pk) AND attribute_not_exists(#rights)',
        values: { rights: JSON.stringify(rights) },
      })
    },
    async touch(id, usedAt) {
      if ((touched.get(id) ?? Number.NEGATIVE_INFINITY) + touchEvery > usedAt) return
      if (touched.size > 10_000) touched.clear()
      touched.set(id, usedAt)
      const row = await table.get('tokens', id)
      if (!row) return
      await table.update(at(row.hash), {
        set: '#used = :at',
        if: 'attribute_exists(#pk) AND (attribute_not_exists(#used) OR #used <= :before)',
        values: { at: usedAt, before: usedAt - touchEvery },
      })
    },
    async remove(id) {
      const row = await table.get('tokens', id)
      if (!row) return false
      const removed = await table.remove(at(row.hash))
      await table.remove({ pk: 'tokens', sk: id })
      return removed
    },
  }
}

function tokenOf(item: Item): ApiToken {
  const fixed = unpacked<Omit<ApiToken, 'rights' | 'lastUsedAt'>>(item)
  const lastUsedAt = (item.used as number | undefined) ?? null
  if (item.rights === undefined) return { ...fixed, lastUsedAt }
  return { ...fixed, rights: JSON.parse(item.rights as string) as RecordedRights, lastUsedAt }
}
