import { randomInt } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** The values that attributes can have. */
export type Value = string | number | Uint8Array
/** An item with its two keys. `ttl` is in seconds since the epoch. */
export type Item = { pk: string; sk: string; ttl?: number } & Record<string, Value | undefined>
export type Key = Pick<Item, 'pk' | 'sk'>

/** Returns a record as attributes: JSON, compressed if it is long. */
export function packed(record: unknown): { data?: string; zip?: Uint8Array } {
  const data = JSON.stringify(record)
  return data.length <= 2048 ? { data } : { zip: deflateRawSync(data, { level: 3 }) }
}

/** Returns the record from the attributes of `packed`. */
export function unpacked<T>(item: Item): T {
  const data = item.zip ? inflateRawSync(item.zip as Uint8Array).toString() : (item.data as string)
  return JSON.parse(data)
}

/**
 * Returns a random revision. A condition on it never holds for a later write with the same content.
 */
export const newRevision = () => randomInt(1, 2 ** 47)

/** Returns the `ttl` for a time in milliseconds, or undefined for null, which means never. */
export const ttlAt = (instant: number | null) =>
  instant === null ? undefined : Math.ceil(instant / 1000)
