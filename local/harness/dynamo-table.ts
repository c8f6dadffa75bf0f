import { randomUUID } from 'node:crypto'
import { onTestFailed, onTestFinished } from 'vitest'
import { type StoreAddress, type StoreClient, storeClient } from '../../adapters/dynamo/client.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { removeTables } from '../../adapters/dynamo/remove-tables.ts'
import { table } from '../../adapters/dynamo/table.ts'
import type { Table } from '../../adapters/store/table.ts'

/** Whether the tests use a store that lags behind, and fails at times. */
const isLagging = process.env.TEST_STORE === 'lagging'
/** Whether the tests use a store of other people, which keeps its tables. */
const isForeign = process.env.TEST_STORE === 'endpoint'

/** Returns the address of a table in the store of the test run, by default one with a new name. */
export const testAddress = (name = `container-stacks-test-${randomUUID()}`): StoreAddress => ({
  endpoint: isLagging
    ? process.env.TEST_LAGGING_STORE_ENDPOINT
    : process.env.SERVICE_DYNAMODB_ENDPOINT,
  region: process.env.SERVICE_DYNAMODB_REGION ?? 'local',
  table: name,
})

/** Returns a client that is closed at the end of the test. */
export function testClient(address: StoreAddress): StoreClient {
  const client = storeClient(address)
  onTestFinished(async () => {
    if (isForeign) await removeTables(client)
    client.close()
  })
  if (isLagging) onTestFailed(sayHowToRepeat)
  return client
}

function sayHowToRepeat() {
  const seed = process.env.TEST_LAGGING_STORE_SEED
  console.error(`This test failed on a lagging store. To repeat it: STORE_SEED=${seed}`)
}

/** Returns a new, empty table. */
export async function newTable(): Promise<Table> {
  const client = testClient(testAddress())
  await ensureTable(client)
  return table(client)
}
