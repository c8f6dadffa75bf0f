import { deliveredRetention } from '../../functions/core/alerts/delivery.ts'
import type { ExpiredItems } from '../../functions/core/ports/expired-items.ts'
import { expiryIndexOf, expiryPartition } from './expiry-index.ts'
import type { LeftoverOptions } from './leftovers.ts'
import { removeEach } from './remove-expired.ts'
import { scanPage } from './store-scan.ts'
import type { Table } from './table.ts'

/**
 * Removes expired items from both tables. Each removal has the condition that the item is still
 * expired: its key may have been written again.
 */
export function storedExpiredItems(
  items: Table,
  logs: Table,
  leftovers: LeftoverOptions,
): ExpiredItems {
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
        const options = { upTo: String(before - deliveredRetention).padStart(15, '0'), limit }
        const found = await items.queryIndex(`alert-deliveries#${state}`, {
          ...options,
          attributes: ['ttl'],
        })
        removed += await removeEach(items, found, before)
      }
      return removed
    },
    scanPage: (from, before) => scanPage(tables, from, before, leftovers),
  }
}

const upTo = (before: number) => expiryIndexOf(Math.floor(before / 1000)).gsi1sk
