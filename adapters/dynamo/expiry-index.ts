import type { Item } from './item.ts'

/**
 * Every item with a `ttl` stands in the index under the hour in which it expires (`expires#<hours since the epoch>`, `ttl`), so
 * that the service finds what has expired without reading the table: not every store removes it on time, and DynamoDB Local
 * never removes an item without index keys. The index keys are attributes of the item itself: they cost no further write.
 * Items that are in the index for another reason (deliveries of alerts) are found there.
 */
export function withExpiryIndex(item: Item): Item {
  if (item.ttl === undefined || item.gsi1pk !== undefined) return item
  return { ...item, ...expiryIndexOf(item.ttl) }
}

/** The index keys of an item with this `ttl`, in seconds since the epoch. */
export const expiryIndexOf = (ttl: number) => ({
  gsi1pk: expiryPartition(Math.floor(ttl / 3600)),
  gsi1sk: String(ttl).padStart(12, '0'),
})

/** Where the items stand that expire in an hour, counted from the epoch. */
export const expiryPartition = (hour: number) => `expires#${hour}`
