import type { Item } from './item.ts'

/**
 * Adds the index keys of an item with a `ttl`: the hour in which it expires (`expires#<hours since
 * the epoch>`, `ttl`). With them the service finds expired items without scanning the table. Not
 * every store deletes them on time, and DynamoDB Local never deletes an item without index keys.
 * The keys are attributes of the item and cost no additional write. Items that are in the index for
 * another reason (deliveries of alerts) are found there.
 */
export function withExpiryIndex(item: Item): Item {
  if (item.ttl === undefined || item.gsi1pk !== undefined) return item
  return { ...item, ...expiryIndexOf(item.ttl) }
}

/** Returns the index keys of an item with this `ttl`, in seconds since the epoch. */
export const expiryIndexOf = (ttl: number) => ({
  gsi1pk: expiryPartition(Math.floor(ttl / 3600)),
  gsi1sk: String(ttl).padStart(12, '0'),
})

/** Returns the partition of the items that expire in an hour, counted from the epoch. */
export const expiryPartition = (hour: number) => `expires#${hour}`
