import type { SweepCursor } from '../../functions/core/records/retention-state.ts'
import { expiryIndexOf } from './expiry-index.ts'
import { type Item, type Key, newRevision } from './item.ts'
import { leaseTtl } from './leases.ts'
import { isLeftoverKind, type LeftoverOptions, leftovers, removeLeftovers } from './leftovers.ts'
import { isExpired, removeEach } from './remove-expired.ts'
import type { ScanPage, Table } from './table.ts'
import { textIndex } from './text-keys.ts'

/** Items read per page. */
const pageSize = 500

interface Cursor {
  table: number
  key?: Key
}

/**
 * Reads one page of the tables from a cursor. Returns the next cursor, or undefined after the last
 * page. Items without index keys, written by earlier versions, are removed if they expired before
 * `before` (milliseconds); otherwise they get the keys. Leftovers are removed.
 */
export async function scanPage(
  tables: readonly Table[],
  from: SweepCursor | undefined,
  before: number,
  options: LeftoverOptions,
): Promise<SweepCursor | undefined> {
  const { table: at, key } = from ? (JSON.parse(from) as Cursor) : { table: 0, key: undefined }
  const table = tables[at]
  if (!table) return undefined
  const page = await readPage(table, key)
  await removeLeftovers(table, page.items, options)
  const unindexed = page.items.filter((item) => !isLeftoverKind(item))
  await adopt(table, unindexed, before, options.clock.now())
  if (page.next) return JSON.stringify({ table: at, key: page.next } satisfies Cursor)
  return tables[at + 1] && JSON.stringify({ table: at + 1 } satisfies Cursor)
}

/**
 * Items that must have index keys but lack them: expiring items, texts, and leases without a `ttl`.
 */
const unindexed = {
  filter:
    'attribute_not_exists(#gsi1pk) AND (attribute_exists(#ttl) OR begins_with(#pk, :lease)' +
    ' OR (begins_with(#pk, :text) AND #sk = :head))',
  values: { text: 'text#', head: 'head', lease: 'lease#' },
}

const readPage = (table: Table, from: Key | undefined): Promise<ScanPage> =>
  table.scanPage({
    filter: `(${unindexed.filter}) OR ${leftovers.filter}`,
    values: { ...unindexed.values, ...leftovers.values },
    attributes: ['ttl', 'rev', ...leftovers.attributes],
    limit: pageSize,
    ...(from && { from }),
  })

/**
 * Removes expired items and indexes the others. Samples of earlier versions are removed 25 per
 * call, because their keys are never written again.
 */
async function adopt(table: Table, found: readonly Item[], before: number, now: number) {
  const over = found.filter((item) => isExpired(item, before))
  const [samples, others] = [over.filter(isSample), over.filter((item) => !isSample(item))]
  await table.removeMany(samples.map(({ pk, sk }) => ({ pk, sk })))
  await removeEach(table, others, before)
  for (const item of found) {
    if (!isExpired(item, before)) await makeFindable(table, item, now)
  }
}

const isSample = ({ pk }: Item) => pk.startsWith('metrics#')

/** Adds index keys to an item of an earlier version, unless it was written meanwhile. */
async function makeFindable(table: Table, item: Item, now: number): Promise<void> {
  const { pk, sk, ttl, rev } = item
  const set = '#gsi1pk = :gsi1pk, #gsi1sk = :gsi1sk'
  const same = 'attribute_exists(#pk) AND attribute_not_exists(#gsi1pk)'
  if (pk.startsWith('text#')) {
    const values = { ...textIndex(pk), at: now, rev: newRevision(), seen: rev as number }
    const change = `${set}, #at = :at, #rev = :rev`
    await table.update({ pk, sk }, { set: change, if: `${same} AND #rev = :seen`, values })
    return
  }
  if (ttl !== undefined) {
    const values = { ...expiryIndexOf(ttl), ttl }
    await table.update({ pk, sk }, { set, if: `${same} AND #ttl = :ttl`, values })
    return
  }
  const end = leaseTtl(pk.slice('lease#'.length), now)
  if (end === undefined || rev === undefined) return
  const values = { ...expiryIndexOf(end), ttl: end, seen: rev }
  await table.update(
    { pk, sk },
    { set: `${set}, #ttl = :ttl`, if: `${same} AND #rev = :seen`, values },
  )
}
