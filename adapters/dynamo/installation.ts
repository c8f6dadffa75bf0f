import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** Which installation a store belongs to. */
export interface InstallationRecord {
  /** Returns the id, or nothing when the store has none. */
  find(): Promise<string | undefined>
  /** Writes an id unless there is one, and returns the one that is there. */
  make(id: string): Promise<string>
  /** Whether the first account was made. */
  isSetUp(): Promise<boolean>
}

/** One item: `installation`, `id`. */
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
