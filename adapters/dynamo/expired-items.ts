import { deliveredKept } from '../../functions/core/alerts/delivery.ts'
import type { ExpiredItems } from '../../functions/core/retention/ports.ts'
import type { Clock } from '../../functions/core/runtime.ts'
import { expiryIndexOf, expiryPartition } from './expiry-index.ts'
import { type Item, type Key, newRevision } from './item.ts'
import { leaseTtl } from './leases.ts'
import type { ScanPage, Table } from './table.ts'
import { textIndex } from './texts.ts'

/** Items that one page of the scan reads. */
const pageSize = 500

/**
 * Removes the expired items of both tables. Each deletion has the condition that the item is still
 * the expired one, because its key may have been reused. Samples of earlier versions are deleted 25
 * at a time: their keys are never reused.
 */
export function dynamoExpiredItems(items: Table, logs: Table, clock: Clock): ExpiredItems {
  const tables = [items, logs]
  return {
    async removeHour(hour, before, limit) {
      let removed = 0
      for (const table of tables) {
        const options = { attributes: ['ttl'], upTo: upTo(before), limit: limit - removed }
        if (options.limit <= 0) break
        const found = await table.queryIndex(expiryPartition(hour), options)
        removed += await removeEach(table, found, before)
      }
      return removed
    },
    async removeDeliveries(before, limit) {
      let removed = 0
      for (const state of ['delivered', 'dead']) {
        const options = { upTo: String(before - deliveredKept).padStart(15, '0'), limit }
        const found = await items.queryIndex(`alert-deliveries#${state}`, {
          ...options,
          attributes: ['ttl'],
        })
        removed += await removeEach(items, found, before)
      }
      return removed
    },
    async adoptOlder(from, before) {
      const { table: at, key } = from ? (JSON.parse(from) as Cursor) : { table: 0, key: undefined }
      const table = tables[at]
      if (!table) return undefined
      const page = await olderPage(table, key)
      await adopt(table, page.items, before, clock.now())
      if (page.next) return JSON.stringify({ table: at, key: page.next } satisfies Cursor)
      return tables[at + 1] && JSON.stringify({ table: at + 1 } satisfies Cursor)
    },
  }
}

interface Cursor {
  table: number
  key?: Key
}

const upTo = (before: number) => expiryIndexOf(Math.floor(before / 1000)).gsi1sk

const isExpired = (item: Item, before: number) =>
  item.ttl !== undefined && item.ttl * 1000 <= before

/** Removes the items that expired before then, one at a time, and returns how many. */
async function removeEach(table: Table, found: readonly Item[], before: number): Promise<number> {
  const unchanged = { if: '#ttl <= :before', values: { before: Math.floor(before / 1000) } }
  let removed = 0
  for (const item of found) {
    if (isExpired(item, before) && (await table.remove(item, unchanged))) removed += 1
  }
  return removed
}

/**
 * Items that should be in the index and are not: those that expire, texts, and leases without an
 * end.
 */
const olderPage = (table: Table, from: Key | undefined): Promise<ScanPage> =>
  table.scanPage({
    filter:
      'attribute_not_exists(#gsi1pk) AND (attribute_exists(#ttl) OR begins_with(#pk, :lease)' +
      ' OR (begins_with(#pk, :text) AND #sk = :head))',
    values: { text: 'text#', head: 'head', lease: 'lease#' },
    attributes: ['ttl', 'rev'],
    limit: pageSize,
    ...(from && { from }),
  })

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

/** Adds the index keys to an item of an earlier version, unless it has been written since. */
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
