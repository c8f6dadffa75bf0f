import type { Setup } from '../../functions/core/ports/setup.ts'
import { newRevision } from './item.ts'
import { absent, type Table } from './table.ts'

/** The part of `Setup` that all processes share. */
export type SetupState = Pick<Setup, 'open' | 'consume'>

/** Stores only that the set-up was used (`setup`, `used`), never the secret or its digest. */
export function storedSetup(table: Table): SetupState {
  return {
    open: async () => (await table.get('setup', 'used')) === undefined,
    consume: () => table.put({ pk: 'setup', sk: 'used', rev: newRevision() }, absent),
  }
}
