import type { Lease, Leases } from '../../functions/core/leases.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { type Item, newRevision, ttlAt } from './item.ts'
import { absent, type Condition, type Table } from './table.ts'

/**
 * Tries to take a lease when others write it at the same time. In each round one of them succeeds.
 */
const triesMax = 3

const day = 86_400_000
/**
 * Milliseconds. How long the item of a lease is kept after its end, so that its fence keeps
 * growing.
 */
const keptAfterEnd = 7 * day

/**
 * Returns the `ttl` of a lease that ends at this time (milliseconds), rounded up to a day so that
 * renewals do not move it in the index. Returns undefined for the lease on sampling a host, because
 * the states of alerts keep its fence forever.
 */
export function leaseTtl(name: string, end: number): number | undefined {
  if (name.startsWith('look:')) return undefined
  return ttlAt(Math.ceil((end + keptAfterEnd) / day) * day)
}

/**
 * Stores a lease as one item (`lease#<name>`). It stays for a week after its release, so that its
 * fence keeps growing. It is read and then put on the condition that it is unchanged: DynamoDB
 * Local takes three times as long for an update in place.
 */
export function dynamoLeases(table: Table, clock: Clock): Leases {
  const key = (name: string) => ({ pk: `lease#${name}`, sk: '-' })
  const releases = new Map<string, Promise<unknown>>()
  const read = async (name: string) => {
    await releases.get(name)
    return table.get(key(name).pk, '-')
  }
  const write = ({ name, holder, fence, expiresAt }: Lease, condition: Condition) => {
    const ttl = leaseTtl(name, Math.max(expiresAt, clock.now()))
    const item = { ...key(name), holder, fence, until: expiresAt, ttl, rev: newRevision() }
    return table.put(item, condition)
  }
  return {
    async take(name, holder, milliseconds) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const found = await read(name)
        const now = clock.now()
        const held = found !== undefined && (found.until as number) > now
        if (held && found.holder !== holder) return undefined
        const fence = ((found?.fence as number | undefined) ?? 0) + (held ? 0 : 1)
        const lease = { name, holder, fence, expiresAt: now + milliseconds }
        const unchanged = { if: '#rev = :seen', values: { seen: found?.rev as string } }
        if (await write(lease, found ? unchanged : absent)) return lease
      }
      return undefined
    },
    async find(name) {
      const item = await read(name)
      return item && (item.until as number) > clock.now() ? leaseOf(name, item) : undefined
    },
    async look(name) {
      const item = await read(name)
      if (!item) return { name, held: false, fence: 0 }
      return { name, held: (item.until as number) > clock.now(), fence: item.fence as number }
    },
    async takeNext({ name, held, fence }, holder, milliseconds) {
      if (held) return undefined
      const lease = { name, holder, fence: fence + 1, expiresAt: clock.now() + milliseconds }
      const unchanged = { if: '#fence = :seen', values: { seen: fence } }
      return (await write(lease, fence === 0 ? absent : unchanged)) ? lease : undefined
    },
    async release(lease) {
      const own = {
        if: '#holder = :held AND #fence = :taken',
        values: { held: lease.holder, taken: lease.fence },
      }
      const { name } = lease
      const release = write({ ...lease, expiresAt: 0 }, own)
      const over = release
        .catch(() => {})
        .finally(() => releases.get(name) === over && releases.delete(name))
      releases.set(name, over)
      await release
    },
  }
}

const leaseOf = (name: string, item: Item): Lease => ({
  name,
  holder: item.holder as string,
  fence: item.fence as number,
  expiresAt: item.until as number,
})
