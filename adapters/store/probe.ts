import { newRevision } from './item.ts'
import type { Table } from './table.ts'

/**
 * Overwrites one small item.
 *
 * @throws 500 if the store does not accept it
 */
export async function probeStore(table: Table): Promise<void> {
  await table.put({ pk: 'health', sk: 'probe', rev: newRevision() })
}
