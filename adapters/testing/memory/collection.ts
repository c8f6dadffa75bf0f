import type { Collection, Stored } from '../../../functions/core/ports/collection.ts'

/**
 * Returns an in-memory collection. `uniqueKeys` returns the keys of a record that no other record
 * may have, besides the id.
 */
export function memoryCollection<T extends { id: string }>(
  uniqueKeys: (value: T) => string[] = () => [],
): Collection<T> {
  const records = new Map<string, Stored<T>>()
  let revisions = 0

  const isTaken = (value: T) => {
    const keys = uniqueKeys(value)
    if (keys.length === 0) return false
    const others = [...records.values()].filter((other) => other.id !== value.id)
    return others.some((other) => uniqueKeys(other).some((key) => keys.includes(key)))
  }
  const keep = (value: T): Stored<T> => {
    const kept = { ...structuredClone(value), revision: ++revisions }
    records.set(value.id, kept)
    return structuredClone(kept)
  }
  return {
    async find(id) {
      return structuredClone(records.get(id))
    },
    async list() {
      const sorted = [...records].sort(([one], [other]) => (one < other ? -1 : 1))
      return sorted.map(([, record]) => structuredClone(record))
    },
    async create(value) {
      return !records.has(value.id) && !isTaken(value) && keep(value) !== undefined
    },
    async replace(value) {
      const unchanged = records.get(value.id)?.revision === value.revision
      return unchanged && !isTaken(value) ? keep(value) : undefined
    },
    async remove(id, revision) {
      const isChanged = revision !== undefined && records.get(id)?.revision !== revision
      return !isChanged && records.delete(id)
    },
  }
}
