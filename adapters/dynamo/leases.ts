import type { Clock, Lease, Leases } from '../../functions/core/ports.ts'
import type { Item } from './item.ts'
import type { Table } from './table.ts'

/** A lease is one item (`lease#<name>`). It stays when it is given back, so that its fence goes on growing. */
export function dynamoLeases(table: Table, clock: Clock): Leases {
  const key = (name: string) => ({ pk: `lease#${name}`, sk: '-' })
  return {
    async take(name, holder, milliseconds) {
      const now = clock.now()
      const until = now + milliseconds
      const taken = await table.update(key(name), {
        set: '#holder = :holder, #until = :until, #fence = if_not_exists(#fence, :none) + :one',
        if: 'attribute_not_exists(#pk) OR #until <= :now',
        values: { holder, until, now, none: 0, one: 1 },
      })
      const held =
        taken ??
        (await table.update(key(name), {
          set: '#until = :until',
          if: '#holder = :holder AND #until > :now',
          values: { holder, until, now },
        }))
      return held && leaseOf(name, held)
    },
    async find(name) {
      const item = await table.get(key(name).pk, '-')
      return item && (item.until as number) > clock.now() ? leaseOf(name, item) : undefined
    },
    async release(lease) {
      await table.update(key(lease.name), {
        set: '#until = :none',
        if: '#holder = :holder AND #fence = :fence',
        values: { none: 0, holder: lease.holder, fence: lease.fence },
      })
    },
  }
}

const leaseOf = (name: string, item: Item): Lease => ({
  name,
  holder: item.holder as string,
  fence: item.fence as number,
  expiresAt: item.until as number,
})
