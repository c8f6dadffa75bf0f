import type { Collection, Stored } from '../../functions/core/ports/collection.ts'
import { ifUnchanged, unchanged } from './collection.ts'
import { type Item, newRevision } from './item.ts'
import { openedValue, type SecretKeys, sealedValue } from './sealed.ts'
import { absent, type Table } from './table.ts'

/**
 * Stores a collection (`<kind>`, id) of encrypted records. The content is bound to its keys
 * (`sealed`), and the id of the encryption key is next to it (`key`).
 */
export function sealedCollection<T extends { id: string }>(
  table: Table,
  kind: string,
  keys: SecretKeys,
): Collection<T> {
  const stored = (item: Item) => openRecord<T>(keys, item)
  return {
    async find(id) {
      const item = await table.get(kind, id)
      return item && stored(item)
    },
    list: async () => (await table.query(kind)).map(stored),
    create: (value) => table.put(sealRecord(keys, kind, value), absent),
    async replace(value) {
      const item = sealRecord(keys, kind, { ...value, revision: undefined })
      const written = await table.put(item, unchanged(value.revision))
      return written ? { ...value, revision: item.rev } : undefined
    },
    remove: (id, revision) => table.remove({ pk: kind, sk: id }, ifUnchanged(revision)),
  }
}

function sealRecord(keys: SecretKeys, pk: string, value: { id: string }) {
  const place = { pk, sk: value.id }
  return { ...place, rev: newRevision(), ...sealedValue(keys, place, value) }
}

const openRecord = <T>(keys: SecretKeys, item: Item): Stored<T> => ({
  ...openedValue<T>(keys, item),
  revision: item.rev as number,
})
