import { randomInt } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { AttributeValue } from '@aws-sdk/client-dynamodb'

/** The values that attributes can have. */
export type Value = string | number | Uint8Array
/** An item with its two keys. `ttl` is in seconds since the epoch. */
export type Item = { pk: string; sk: string; ttl?: number } & Record<string, Value | undefined>
export type Key = Pick<Item, 'pk' | 'sk'>
type WireItem = Record<string, AttributeValue>

/** Returns values in the format of the store's API, without undefined ones. */
export function toWire(values: Record<string, Value | undefined>): WireItem {
  const wire: WireItem = {}
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) wire[name] = wireValue(value)
  }
  return wire
}

function wireValue(value: Value): AttributeValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  return { B: value }
}

/** Returns an item from the format of the store's API. */
export function fromWire(wire: WireItem): Item {
  const item: Record<string, Value> = {}
  for (const [name, value] of Object.entries(wire)) {
    const plain = value.S ?? value.B ?? (value.N === undefined ? undefined : Number(value.N))
    if (plain !== undefined) item[name] = plain
  }
  return item as Item
}

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
