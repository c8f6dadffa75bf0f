import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type StoreAddress, type StoreClient, storeClient } from '../../adapters/dynamo/client.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { table } from '../../adapters/dynamo/table.ts'
import type { Table } from '../../adapters/store/table.ts'

/** Returns the address of a table in the store of the test run, by default one with a new name. */
export const testAddress = (name = `t-${randomUUID()}`): StoreAddress => ({
  endpoint: process.env.SERVICE_DYNAMODB_ENDPOINT,
  region: process.env.SERVICE_DYNAMODB_REGION ?? 'local',
  table: name,
})

/** Returns a client that is closed at the end of the test. */
export function testClient(address: StoreAddress): StoreClient {
  const client = storeClient(address)
  onTestFinished(() => client.close())
  return client
}

/** Returns a new, empty table. */
export async function newTable(): Promise<Table> {
  const client = testClient(testAddress())
  await ensureTable(client)
  return table(client)
}
