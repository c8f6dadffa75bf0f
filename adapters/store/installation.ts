import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** Records which installation a store belongs to. */
export interface InstallationRecord {
  /** Returns the id, or undefined if the store has none. */
  find(): Promise<string | undefined>
  /** Writes an id unless the store has one, and returns the id of the store. */
  make(id: string): Promise<string>
  /** Returns whether the first account was created. */
  isSetUp(): Promise<boolean>
}

/** Stores the record as one item: `installation`, `id`. */
export function installationRecord(table: Table): InstallationRecord {
  const find = async () => (await table.get('installation', 'id'))?.id as string | undefined
  return {
    find,
    async make(id) {
      await table.put({ pk: 'installation', sk: 'id', id, rev: newRevision() }, absent)
      return (await find()) ?? id
    },
    isSetUp: async () => (await table.get('setup', 'used')) !== undefined,
  }
}
