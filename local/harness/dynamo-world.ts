import { randomBytes, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { World } from '../../adapters/contract/world.ts'
import { type StoreAddress, storeClient } from '../../adapters/dynamo/client.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { dynamoStores } from '../../adapters/dynamo/stores.ts'
import { memoryClock } from '../../adapters/memory/clock.ts'
import { localHost } from '../../adapters/memory/hosts.ts'

/** The store that the tests were given, and a table of that name in it. */
export const testAddress = (table = `t-${randomUUID()}`): StoreAddress => ({
  endpoint: process.env.SERVICE_DYNAMODB_ENDPOINT,
  region: process.env.SERVICE_DYNAMODB_REGION ?? 'local',
  table,
})

/** A world on a new table, each of the two processes with connections of its own. */
export async function dynamoWorld(): Promise<World> {
  const clock = memoryClock(Date.now())
  const address = testAddress()
  const options = {
    clock,
    local: localHost,
    pinned: {},
    keys: { current: 'k1', keys: { k1: randomBytes(32) } },
  }
  const clients = [storeClient(address), storeClient(address)] as const
  onTestFinished(() => {
    for (const client of clients) client.close()
  })
  await ensureTable(clients[0])
  return {
    clock,
    stores: dynamoStores(clients[0], options),
    peer: dynamoStores(clients[1], options),
  }
}
