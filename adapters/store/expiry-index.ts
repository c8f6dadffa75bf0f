import type { Item } from './item.ts'

/**
 * Adds index keys to an item with a `ttl`: the hour in which it expires (`expires#<hours since the
 * epoch>`, `ttl`). They let the service find expired items without scanning the table. Not every
 * store deletes expired items on time, and DynamoDB Local never deletes items without index keys.
 * The keys are attributes of the item, so they cost no additional write. An item that already has
 * index keys (a delivery of an alert) is returned unchanged.
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

/** Returns the index partition of the items that expire in an hour, counted from the epoch. */
export const expiryPartition = (hour: number) => `expires#${hour}`
