import { createHash } from 'node:crypto'
import {
  type StoreTable,
  storeTables,
} from '../../../functions/core/backups/system/system-parts.ts'
import { exportItems, lasts } from '../../store/export.ts'
import { readItems } from '../../store/import.ts'
import type { Item } from '../../store/item.ts'
import type { StoreTables } from '../../store/store.ts'
import { systemClock } from '../process/clock.ts'
import { copiedItems } from './import-copy.ts'

/** How the records of a table differ from those of a copy. Keys are `<partition> <sort key>`. */
export interface Differences {
  table: StoreTable
  /** Records that are the same in both. */
  same: number
  onlyInCopy: string[]
  onlyInStore: string[]
  changed: string[]
}

interface Compared {
  /** The records of the copy that were not found in the store yet. */
  left: Map<string, { hash: string; item: Pick<Item, 'pk' | 'sk' | 'ttl'> }>
  found: Differences
}

/**
 * Compares the lasting records of a store with a copy of one, without those that have expired
 * since. Keeps the key and a hash of each record of the copy in memory, about 300 bytes.
 */
export async function compareCopy(store: StoreTables, copy: string): Promise<Differences[]> {
  const tables = new Map<StoreTable, Compared>()
  for (const table of storeTables) {
    const left: Compared['left'] = new Map()
    for await (const chunk of copiedItems(copy, table)) {
      for (const item of readItems(chunk)) {
        const { pk, sk, ttl } = item
        left.set(keyOf(item), { hash: hashOf(item), item: { pk, sk, ttl } })
      }
    }
    const found = { table, same: 0, onlyInCopy: [], onlyInStore: [], changed: [] }
    tables.set(table, { left, found })
  }
  for await (const chunk of exportItems(store, systemClock, new AbortController().signal)) {
    const compared = tables.get(chunk.table)
    if (compared) for (const item of readItems(chunk)) compare(item, compared)
  }
  return [...tables.values()].map(({ left, found }) => {
    const lasting = [...left].filter(([, { item }]) => lasts(item, systemClock.now()))
    return { ...found, onlyInCopy: lasting.map(([key]) => key) }
  })
}

/** Adds an item of the store to what was found, and takes it from those of the copy. */
function compare(item: Item, { left, found }: Compared): void {
  const key = keyOf(item)
  const hash = left.get(key)?.hash
  left.delete(key)
  if (hash === undefined) found.onlyInStore.push(key)
  else if (hash === hashOf(item)) found.same += 1
  else found.changed.push(key)
}

const keyOf = ({ pk, sk }: Pick<Item, 'pk' | 'sk'>) => `${pk} ${sk}`

/** Returns a hash of the attributes, whatever their order. */
function hashOf(item: Item): string {
  const hash = createHash('sha256')
  for (const name of Object.keys(item).sort()) {
    const value = item[name]
    const text = value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
    hash.update(JSON.stringify([name, typeof value, text]))
  }
  return hash.digest('base64')
}
