import type { Collection, Stored } from '../../functions/core/ports/collection.ts'
import { type Item, newRevision, packed, unpacked } from './item.ts'
import { absent, type Condition, type Table } from './table.ts'

/**
 * Stores records of one kind under `pk` = kind and `sk` = id, so that a list is one consistent
 * query. Each write changes `rev`; `replace` is a put on the condition that `rev` is unchanged.
 */
export function storedCollection<T extends { id: string }>(
  table: Table,
  kind: string,
): Collection<T> {
  return {
    async find(id) {
      const item = await table.get(kind, id)
      return item && stored<T>(item)
    },
    async list() {
      return (await table.query(kind)).map((item) => stored<T>(item))
    },
    create: (value) => table.put(itemOf(kind, value), absent),
    async replace(value) {
      const item = itemOf(kind, { ...value, revision: undefined })
      const written = await table.put(item, unchanged(value.revision))
      return written ? { ...value, revision: item.rev } : undefined
    },
    remove: (id, revision) => table.remove({ pk: kind, sk: id }, ifUnchanged(revision)),
  }
}

/** Returns that condition if there is a revision, as for `Collection.remove`. */
export const ifUnchanged = (revision: number | undefined): Condition | undefined =>
  revision === undefined ? undefined : unchanged(revision)

/** Returns the condition that the record was not written since it was read. */
export const unchanged = (revision: number): Condition => ({
  if: '#rev = :rev',
  values: { rev: revision },
})

const itemOf = (kind: string, value: { id: string }) => ({
  pk: kind,
  sk: value.id,
  rev: newRevision(),
  ...packed(value),
})

const stored = <T>(item: Item): Stored<T> => ({
  ...unpacked<T>(item),
  revision: item.rev as number,
})
