import type { Setup } from '../../functions/core/access/ports.ts'
import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** The part of `Setup` that all processes share. */
export type SetupState = Pick<Setup, 'open' | 'consume'>

/** The store knows only that the right was used (`setup`, `used`). The secret, or a digest of it, never gets there. */
export function dynamoSetup(table: Table): SetupState {
  return {
    open: async () => (await table.get('setup', 'used')) === undefined,
    consume: () => table.put({ pk: 'setup', sk: 'used', rev: newRevision() }, absent),
  }
}
