import { createHash } from 'node:crypto'
import type { AttemptState, Attempts } from '../../functions/core/ports/attempts.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Item, newRevision, packed, ttlAt, unpacked } from './item.ts'
import type { Condition, Table } from './table.ts'

/**
 * Stores one item per key (`attempts#<SHA-256 of the key>`), because a key can be any text. The
 * version is the item's `rev`, so an expired item is never mistaken for
 * the one that replaced it.
 */
export function storedAttempts(table: Table, clock: Clock): Attempts {
  const pk = (key: string) => `attempts#${createHash('sha256').update(key).digest('hex')}`
  const isLive = (item: Item | undefined) => (item?.until as number) > clock.now()
  return {
    async read(key) {
      const item = await table.get(pk(key), '-')
      if (!item || !isLive(item)) {
        return { value: { failed: 0, pending: [], lockedUntil: null }, version: 0 }
      }
      return { value: unpacked<AttemptState>(item), version: item.rev as number }
    },
    swap(key, version, next, expiresAt) {
      const item = {
        pk: pk(key),
        sk: '-',
        rev: newRevision(),
        until: expiresAt,
        ttl: ttlAt(expiresAt),
      }
      return table.put({ ...item, ...packed(next) }, still(version, clock.now()))
    },
  }
}

function still(version: number, now: number): Condition {
  return version === 0
    ? { if: 'attribute_not_exists(#pk) OR #until <= :now', values: { now } }
    : { if: '#rev = :version AND #until > :now', values: { version, now } }
}
