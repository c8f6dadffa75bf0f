import type { Clock } from '../../functions/core/runtime.ts'
import { type Item, newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** What a name is unique among. `guarded-names.ts` says for each kind which name a record has. */
export type GuardKind =
  | 'username'
  | 'identity'
  | 'hostname'
  | 'alert-rule-name'
  | 'alert-channel-name'
  | 'backup-job-name'

/** How long a guard without its record is left alone: many times what a write of one may take. Milliseconds. */
const orphanAge = 30_000

/** A name held for a record. */
export interface Guard {
  name: string
  /** The record's. */
  id: string
  /** Of the claim: no other one has it. */
  rev: number
}

/** Names that one record of a kind can have. */
export interface Guards {
  /** Nothing when the name is held, also when for the same record: one write at a time has it. */
  claim(name: string, id: string): Promise<Guard | undefined>
  find(name: string): Promise<Guard | undefined>
  /** Frees the name, unless it was claimed anew meanwhile. */
  drop(guard: Guard): Promise<void>
}

/**
 * Guards are items of their own (`<kind>#<name>`, `guard`), written before the record since the store has no lasting
 * transactions. One whose record never came, or has another name by now (`nameOf` says), is taken over once it is old.
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
