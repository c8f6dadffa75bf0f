import type { Clock } from '../../functions/core/ports.ts'
import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** How long a guard without its record is left alone: many times what a write of one may take. Milliseconds. */
const orphanAge = 30_000

/** Names that one record of a kind can have. */
export interface Guards {
  /** False when another record has the name. Claiming one's own again is fine. */
  claim(name: string, id: string): Promise<boolean>
  /** Frees the name if it is held for that record. */
  drop(name: string, id: string): Promise<void>
  /** The id of the record that claimed the name. */
  holder(name: string): Promise<string | undefined>
}

/**
 * Guards are items of their own (`<kind>#<name>`, `guard`), written before the record since the store has no lasting
 * transactions. One whose record never came, or has another name by now (`nameOf` says), is taken over once it is old.
 */
export function nameGuards(
  table: Table,
  clock: Clock,
  kind: string,
  nameOf: (id: string) => Promise<string | undefined>,
): Guards {
  const pk = (name: string) => `${kind}#${name}`
  const guard = (name: string, id: string) => ({
    pk: pk(name),
    sk: 'guard',
    id,
    rev: newRevision(),
    at: clock.now(),
  })
  return {
    async claim(name, id) {
      if (await table.put(guard(name, id), absent)) return true
      const held = await table.get(pk(name), 'guard')
      if (!held) return table.put(guard(name, id), absent)
      const mine = held.id === id
      const old = (held.at as number) + orphanAge <= clock.now()
      if (!mine && (!old || (await nameOf(held.id as string)) === name)) return false
      const seen = { if: '#rev = :seen', values: { seen: held.rev as number } }
      return table.put(guard(name, id), seen)
    },
    async drop(name, id) {
      await table.remove({ pk: pk(name), sk: 'guard' }, { if: '#id = :id', values: { id } })
    },
    async holder(name) {
      return (await table.get(pk(name), 'guard'))?.id as string | undefined
    },
  }
}
