import type { KeyStore } from '../../../functions/core/ports/key-store.ts'
import { ifUnreadable } from '../../store/sealed.ts'
import { keyIdIn } from '../config/key-text.ts'
import { type KeyPlace, rings } from '../keys/key-ring.ts'

const directory = 'removed-keys'
const markOf = (ring: string, id: string) => `${directory}/${ring}-${id}`

/** Marks a key of a ring as deleted: a data directory may still have its file. */
export async function markRemoved(stored: KeyStore, name: string): Promise<void> {
  const ring = rings.find((one) => name === one || name.startsWith(`${one}s/`))
  const text = ring && (await stored.find(name))?.text
  if (ring && text !== undefined)
    await stored.create(markOf(ring, keyIdIn(text, stored.where(name))), '\n')
}

/** Returns the ids of the keys of a ring that were deleted. */
export async function removedIds(stored: KeyStore, ring: KeyPlace['name']): Promise<string[]> {
  const start = markOf(ring, '')
  const ids: string[] = []
  for (const name of await stored.list(directory)) {
    if (!name.startsWith(start)) continue
    // A mark that the outside key does not open was not made by the service.
    const mark = await stored.find(name).catch(ifUnreadable(undefined))
    if (mark) ids.push(name.slice(start.length))
  }
  return ids
}
