import type { Item } from './item.ts'
import type { Table } from './table.ts'

/** Whether an item expired before then, in milliseconds since the epoch. */
export const isExpired = (item: Item, before: number) =>
  item.ttl !== undefined && item.ttl * 1000 <= before

/** Removes those that expired before then, one after the other, and returns how many. */
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
