import type { Store } from '../store/store.ts'
import { logsOf, type StoreClient } from './client.ts'
import { ensureTable } from './create-table.ts'
import { table } from './table.ts'

/** Returns the store that the client is for: a table, and one for logs. */
export const dynamoStore = (client: StoreClient): Store => ({
  place: `the table ${client.table}`,
  items: table(client),
  logs: table(logsOf(client)),
  ensure: () => ensureTable(client),
  close: () => client.close(),
})
