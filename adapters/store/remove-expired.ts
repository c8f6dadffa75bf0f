import type { Item } from './item.ts'
import type { Table } from './table.ts'

/** Returns whether an item expired before this time, in milliseconds since the epoch. */
export const isExpired = (item: Item, before: number) =>
  item.ttl !== undefined && item.ttl * 1000 <= before

/**
 * Removes the items that expired before this time, one after the other. Returns how many it
 * removed.
 */
export async function removeEach(
  table: Table,
  found: readonly Item[],
  before: number,
): Promise<number> {
  const unchanged = { if: '#ttl <= :before', values: { before: Math.floor(before / 1000) } }
  let removed = 0
  for (const item of found) {
    if (isExpired(item, before) && (await table.remove(item, unchanged))) removed += 1
  }
  return removed
}
