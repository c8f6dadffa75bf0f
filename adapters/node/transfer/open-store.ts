import { conflict } from '../../../functions/core/errors.ts'
import { isStoreEmpty } from '../../store/import.ts'
import type { Store } from '../../store/store.ts'

/**
 * Creates the tables if they do not exist. Never empties a table.
 *
 * @throws 409 if they are not empty, unless the same backup was being restored into them (`begun`)
 */
export async function openStore(store: Store, place: 'empty' | 'begun'): Promise<void> {
  await store.ensure()
  if (place === 'begun' || (await isStoreEmpty(store))) return
  throw conflict(
    `the store (${store.place}) is not empty: name another table with SERVICE_DYNAMODB_TABLE, or another data directory`,
  )
}
