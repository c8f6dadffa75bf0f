import type { Item, Value } from '../store/item.ts'

/**
 * An item as it is stored. `plain` is JSON: texts and numbers are as they are, and bytes are
 * `[start, end]` in `bytes`, which has those of all attributes.
 */
export interface StoredItem {
  plain: string
  bytes: Uint8Array | null
}

type Plain = Record<string, string | number | [number, number]>

/** Returns how an item is stored. */
export function encodeItem(item: Item): StoredItem {
  const plain: Plain = {}
  const parts: Uint8Array[] = []
  let length = 0
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue
    plain[name] = value instanceof Uint8Array ? [length, length + value.length] : value
    if (!(value instanceof Uint8Array)) continue
    parts.push(value)
    length += value.length
  }
  return { plain: JSON.stringify(plain), bytes: parts.length > 0 ? Buffer.concat(parts) : null }
}

/** Returns the item that is stored so. */
export function decodeItem({ plain, bytes }: StoredItem): Item {
  const item: Record<string, Value> = JSON.parse(plain)
  for (const [name, value] of Object.entries(item as Plain)) {
    if (Array.isArray(value)) item[name] = new Uint8Array(bytes?.subarray(...value) ?? [])
  }
  return item as Item
}
