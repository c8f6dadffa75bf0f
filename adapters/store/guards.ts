import type { Clock } from '../../functions/core/ports/clock.ts'
import { type Item, newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** The namespaces of unique names. `guarded-names.ts` has the name of a record in each. */
export type GuardKind =
  | 'username'
  | 'identity'
  | 'hostname'
  | 'alert-rule-name'
  | 'alert-channel-name'
  | 'backup-job-name'

/**
 * Milliseconds. The age at which a guard without its record may be taken over; much longer than the
 * write of a record takes.
 */
const orphanAge = 30_000

/** A name that is reserved for a record. */
export interface Guard {
  name: string
  /** The id of the record. */
  id: string
  /** Identifies this claim. */
  rev: number
}

/** Names that only one record of a kind can have. */
export interface Guards {
  /**
   * Returns undefined if the name is taken, even by the same record: only one write at a time may
   * claim it.
   */
  claim(name: string, id: string): Promise<Guard | undefined>
  find(name: string): Promise<Guard | undefined>
  /** Frees the name, unless it has been claimed again. */
  drop(guard: Guard): Promise<void>
}

/**
 * Stores guards as items (`<kind>#<name>`, `guard`). A guard is written before its record, since
 * the store has no transactions that span both. An old guard is taken over if its record does not
 * exist or `nameOf` returns another name.
 */
export function nameGuards(
  table: Table,
  clock: Clock,
  kind: GuardKind,
  nameOf: (id: string) => Promise<string | undefined>,
): Guards {
  const key = (name: string) => ({ pk: `${kind}#${name}`, sk: 'guard' })
  const read = (name: string) => table.get(key(name).pk, key(name).sk)
  const isLeftBehind = async (item: Item, name: string) =>
    (item.at as number) + orphanAge <= clock.now() && (await nameOf(item.id as string)) !== name
  return {
    async claim(name, id) {
      const guard = { name, id, rev: newRevision() }
      const item = { ...key(name), id, rev: guard.rev, at: clock.now() }
      if (await table.put(item, absent)) return guard
      const held = await read(name)
      if (held && !(await isLeftBehind(held, name))) return undefined
      const seen = held && { if: '#rev = :seen', values: { seen: held.rev as number } }
      return (await table.put(item, seen ?? absent)) ? guard : undefined
    },
    async find(name) {
      const item = await read(name)
      return item && { name, id: item.id as string, rev: item.rev as number }
    },
    async drop({ name, rev }) {
      await table.remove(key(name), { if: '#rev = :rev', values: { rev } })
    },
  }
}
