import type { Collection, Stored } from '../../functions/core/ports/collection.ts'
import { ifUnchanged, unchanged } from './collection.ts'
import { type Item, newRevision } from './item.ts'
import { open, type SecretKeys, seal } from './sealed.ts'
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
  const key = keys.current
  const content = Buffer.from(JSON.stringify(value))
  const sealed = seal(keys, key, content, `${pk} ${value.id}`)
  return { pk, sk: value.id, rev: newRevision(), key, sealed }
}

function openRecord<T>(keys: SecretKeys, { pk, sk, rev, key, sealed }: Item): Stored<T> {
  const content = open(keys, key as string, sealed as Uint8Array, `${pk} ${sk}`)
  return { ...JSON.parse(content.toString()), revision: rev }
}
