import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Sessions } from '../../functions/core/ports/sessions.ts'
import type { Session } from '../../functions/core/records/account.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a session as one item (`session#<id>`). The values that a rotation changes are attributes
 * of their own, so that it is one conditional update. A row (`sessions#<account>`, id), written
 * before the session, lists it under its account.
 */
export function storedSessions(table: Table, clock: Clock): Sessions {
  const find = async (id: string) => live(await table.get(`session#${id}`, '-'), clock.now())
  return {
    find,
    listByAccount: async (accountId) =>
      (await ofAccount(table, accountId)).flatMap((item) => live(item, clock.now()) ?? []),
    async create(session) {
      const { id, accountId } = session
      await table.put({ pk: `sessions#${accountId}`, sk: id, ttl: ttlAt(session.expiresAt) })
      await table.put(itemOf(session), absent)
    },
    async rotate(id, presentedHash, nextHash, { usedAt, activeAt }) {
      const isActive = activeAt !== undefined
      const set = '#current = :next, #used = :used, #generation = #generation + :one'
      const rotated = await table.update(
        { pk: `session#${id}`, sk: '-' },
        {
          set: isActive ? `${set}, #active = :active` : set,
          if: '#current = :presented AND #until > :now',
          values: {
            next: nextHash,
            used: usedAt,
            ...(isActive && { active: activeAt }),
            one: 1,
            presented: presentedHash,
            now: clock.now(),
          },
        },
      )
      if (rotated) return { outcome: 'rotated', session: sessionOf(rotated) }
      const session = await find(id)
      if (!session) return { outcome: 'gone' }
      // A retried call may find the result of its first try, whose response was lost. The token
      // alone does not tell: the next one of a browser session is the same in each attempt.
      return session.currentHash === nextHash && session.lastUsedAt === usedAt
        ? { outcome: 'rotated', session }
        : { outcome: 'reused' }
    },
    async remove(id) {
      const session = await find(id)
      await table.remove({ pk: `session#${id}`, sk: '-' })
      if (session) await table.remove({ pk: `sessions#${session.accountId}`, sk: id })
    },
    async removeByAccount(accountId, except) {
      const rows = (await table.query(`sessions#${accountId}`)).filter(({ sk }) => sk !== except)
      await table.removeMany(rows.map(({ sk }) => ({ pk: `session#${sk}`, sk: '-' })))
      await table.removeMany(rows.map(({ pk, sk }) => ({ pk, sk })))
    },
  }
}

async function ofAccount(table: Table, accountId: string) {
  const rows = await table.query(`sessions#${accountId}`)
  const items = await table.getMany(rows.map(({ sk }) => ({ pk: `session#${sk}`, sk: '-' })))
  return items.sort((a, b) => (a.pk < b.pk ? -1 : 1))
}

function itemOf(session: Session): Item {
  const { currentHash, generation, lastUsedAt, activeAt, ...fixed } = session
  return {
    pk: `session#${session.id}`,
    sk: '-',
    rev: newRevision(),
    current: currentHash,
    generation,
    used: lastUsedAt,
    ...(activeAt !== undefined && { active: activeAt }),
    until: session.expiresAt,
    ttl: ttlAt(session.expiresAt),
    ...packed(fixed),
  }
}

function live(item: Item | undefined, now: number) {
  return item && (item.until as number) > now ? sessionOf(item) : undefined
}

function sessionOf(item: Item): Session {
  return {
    ...unpacked<Omit<Session, 'currentHash' | 'generation' | 'lastUsedAt' | 'activeAt'>>(item),
    currentHash: item.current as string,
    generation: item.generation as number,
    lastUsedAt: item.used as number,
    ...(item.active !== undefined && { activeAt: item.active as number }),
  }
}
