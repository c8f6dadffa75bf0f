import { LeaseWatch } from '../../functions/core/leases/lease-watch.ts'
import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Lease, LeaseSnapshot, Leases } from '../../functions/core/ports/leases.ts'
import { type Item, newRevision, ttlAt } from './item.ts'
import { absent, type Table } from './table.ts'

/** How often a read of a lease is retried after a lost race. In each race, one caller succeeds. */
const triesMax = 3

const day = 86_400_000
/**
 * How long a lease item is kept after its end, so that its fence keeps growing for those that
 * compare it. Milliseconds.
 */
const keptAfterEnd = 7 * day

/**
 * Returns the `ttl` of a lease that ends at this time (milliseconds), rounded up to a day so that
 * renewals do not move it in the index. Undefined for the lease of the samples of a host, because
 * the states of alerts keep its fence for good.
 */
export function leaseTtl(name: string, end: number): number | undefined {
  if (name.startsWith('look:')) return undefined
  return ttlAt(Math.ceil((end + keptAfterEnd) / day) * day)
}

/** The length of a lease whose row says none. Milliseconds. */
const lengthUnknown = 20_000

interface LeaseRow extends Item {
  holder: string
  fence: number
  rev: number
  /** When it ends by the holder's wall clock, in milliseconds since the epoch; 0 if released. */
  until: number
  /** Milliseconds. */
  length?: number
}

/**
 * A lease is one item (`lease#<name>`). A released one stays for a week, so that its fence keeps
 * growing. It is read and then written under the condition that nothing wrote it since: DynamoDB
 * Local takes three times as long for an update in place. `until` is only a hint for `isStale`;
 * whether a lease is over is decided by how long its row stayed the same.
 *
 * @param expire if false, only its release ends a lease
 */
export function storedLeases(table: Table, clock: Clock, expire = true): Leases {
  const key = (name: string) => ({ pk: `lease#${name}`, sk: '-' })
  const releases = new Map<string, Promise<unknown>>()
  const watch = new LeaseWatch()

  /** Reads a row, and whether its lease is held as far as this process can tell. */
  const read = async (name: string): Promise<{ row?: LeaseRow; held: boolean }> => {
    await releases.get(name)
    const asked = clock.monotonic()
    const row = (await table.get(key(name).pk, '-')) as LeaseRow | undefined
    if (!row || row.until === 0) {
      watch.forget(name)
      return { row, held: false }
    }
    const unchanged = watch.unchangedFor(name, row.rev, asked, clock.monotonic())
    return { row, held: !expire || unchanged < (row.length ?? lengthUnknown) }
  }

  /** Writes a row if it still has this revision. Returns its lease, or undefined otherwise. */
  const write = async (
    { name, holder, fence, length }: Omit<Lease, 'renewedAt'>,
    revision: number | null,
  ): Promise<Lease | undefined> => {
    const renewedAt = clock.monotonic()
    const until = clock.now() + length
    const rev = newRevision()
    const item = { ...key(name), holder, fence, length, until, ttl: leaseTtl(name, until), rev }
    const condition =
      revision === null ? absent : { if: '#rev = :seen', values: { seen: revision } }
    if (!(await table.put(item, condition))) return undefined
    const written = clock.monotonic()
    watch.unchangedFor(name, rev, written, written)
    return { name, holder, fence, length, renewedAt }
  }

  /**
   * Writes the row of a lease again with the next fence. Returns undefined if it was lost. A race
   * with another write of its holder does not lose it.
   */
  const rewrite = async ({ name, holder, fence, length }: Lease, next: number) => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const { row } = await read(name)
      if (row?.holder !== holder || row.fence !== fence || row.until === 0) return undefined
      const lease = await write({ name, holder, fence: next, length }, row.rev)
      if (lease) return lease
    }
    throw new Error(`the lease ${name} was written ${triesMax} times at once`)
  }

  return {
    async acquire(name, holder, length) {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const { row, held } = await read(name)
        const isOwn = row?.holder === holder && row.until !== 0
        if (held && !isOwn) return undefined
        const fence = (row?.fence ?? 0) + (isOwn ? 0 : 1)
        const lease = await write({ name, holder, fence, length }, row?.rev ?? null)
        if (lease) return lease
      }
      return undefined
    },
    async peek(name) {
      const { row, held } = await read(name)
      return snapshotOf(name, row, held, clock.now())
    },
    async acquireIfUnchanged({ name, held, fence, revision }, holder, length) {
      return held ? undefined : write({ name, holder, fence: fence + 1, length }, revision)
    },
    renew: (lease) => rewrite(lease, lease.fence),
    raiseFence: (lease, above) => rewrite(lease, Math.max(lease.fence, above + 1)),
    async release({ name, holder, fence, length }) {
      const own = {
        if: '#holder = :held AND #fence = :taken',
        values: { held: holder, taken: fence },
      }
      const ttl = leaseTtl(name, clock.now())
      const item = { ...key(name), holder, fence, length, until: 0, ttl, rev: newRevision() }
      const release = table.put(item, own)
      const over = Promise.allSettled([release]).then(() => {
        if (releases.get(name) === over) releases.delete(name)
      })
      releases.set(name, over)
      await release
    },
  }
}

function snapshotOf(
  name: string,
  row: LeaseRow | undefined,
  held: boolean,
  now: number,
): LeaseSnapshot {
  if (!row) {
    const never = { holder: null, fence: 0, revision: null }
    return { name, held, ...never, isStale: false, isExpired: false }
  }
  const { holder, fence, rev: revision, until } = row
  const state = { isStale: held && until < now, isExpired: !held && until !== 0 }
  return { name, held, holder, fence, revision, ...state }
}
