import { newRevision } from './item.ts'
import type { Table } from './table.ts'

/** Writes one small item, the same each time. Throws a `Failure` 500 when the store does not take it. */
export async function probeStore(table: Table): Promise<void> {
  await table.put({ pk: 'health', sk: 'probe', rev: newRevision() })
}
