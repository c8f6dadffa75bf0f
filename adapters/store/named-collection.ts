import type { Clock } from '../../functions/core/ports/clock.ts'
import type { Collection } from '../../functions/core/ports/collection.ts'
import { storedCollection } from './collection.ts'
import { type GuardKind, type Guards, nameGuards } from './guards.ts'
import type { Table } from './table.ts'

/** A collection whose records have a unique name. */
export interface NamedCollection<T extends { id: string }> extends Collection<T> {
  findByName(name: string): ReturnType<Collection<T>['find']>
}

/**
 * Returns a collection with a guard per name (`<guard>#<name>`), which is written before the record
 * and maps the name to the id. `kind` is the collection, or the kind of an unencrypted one.
 */
export function namedCollection<T extends { id: string }>(
  table: Table,
  clock: Clock,
  kind: string | Collection<T>,
  guard: GuardKind,
  nameOf: (value: T) => string,
): NamedCollection<T> {
  const records = typeof kind === 'string' ? storedCollection<T>(table, kind) : kind
  const guards: Guards = nameGuards(table, clock, guard, async (id) => {
    const record = await records.find(id)
    return record && nameOf(record)
  })
  return {
    ...records,
    async create(value) {
      const claimed = await guards.claim(nameOf(value), value.id)
      if (!claimed) return false
      const created = await records.create(value)
      if (!created) await guards.drop(claimed)
      return created
    },
    async replace(value) {
      const before = await records.find(value.id)
      if (before?.revision !== value.revision) return undefined
      const [was, next] = [nameOf(before), nameOf(value)]
      if (was === next) return records.replace(value)
      const old = await guards.find(was)
      const claimed = await guards.claim(next, value.id)
      if (!claimed) return undefined
      const replaced = await records.replace(value)
      if (!replaced) await guards.drop(claimed)
      else if (old?.id === value.id) await guards.drop(old)
      return replaced
    },
    async remove(id, revision) {
      const record = await records.find(id)
      const held = record && (await guards.find(nameOf(record)))
      const removed = await records.remove(id, revision)
      if (removed && held?.id === id) await guards.drop(held)
      return removed
    },
    async findByName(name) {
      const held = await guards.find(name)
      const record = held && (await records.find(held.id))
      return record && nameOf(record) === name ? record : undefined
    },
  }
}
