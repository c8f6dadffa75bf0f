import type { ItemChunk } from '../../functions/core/backups/system/system-parts.ts'
import { unusable } from '../../functions/core/errors.ts'
import type { Item } from './item.ts'
import type { StoreTables } from './store.ts'
import { fromWire, type WireItem } from './wire.ts'

/** Returns whether both tables are empty. They must exist. */
export async function isStoreEmpty({ items, logs }: StoreTables): Promise<boolean> {
  for (const table of [items, logs]) {
    const page = await table.scanPage({ limit: 1 })
    if (page.items.length > 0) return false
  }
  return true
}

/**
 * Returns the items in a chunk of `exportItems`.
 *
 * @throws 422 if the chunk contains anything else
 */
export function readItems({ lines }: Pick<ItemChunk, 'lines'>): Item[] {
  const texts = Buffer.from(lines).toString().split('\n')
  if (texts.pop() !== '') throw notItems()
  return texts.map((line) => {
    const wire = parseItem(line)
    if (typeof wire?.pk?.S === 'string' && typeof wire.sk?.S === 'string') return fromWire(wire)
    throw notItems()
  })
}

/** Returns the item in a line; undefined if it is not JSON. */
function parseItem(line: string): WireItem | undefined {
  try {
    return (JSON.parse(line, binary) as { Item?: WireItem } | null)?.Item
  } catch {
    return undefined
  }
}

/** Writes the items of a chunk, replacing those with the same keys. */
export async function importItems({ items, logs }: StoreTables, chunk: ItemChunk): Promise<void> {
  await (chunk.table === 'logs' ? logs : items).putMany(readItems(chunk))
}

function binary(key: string, value: unknown): unknown {
  return key === 'B' && typeof value === 'string'
    ? new Uint8Array(Buffer.from(value, 'base64'))
    : value
}

const notItems = () => unusable('the archive of the service contains invalid items')
