import { randomBytes } from 'node:crypto'
import type { World } from '../../adapters/contract/world.ts'
import { ensureTable } from '../../adapters/dynamo/create-table.ts'
import { dynamoStores } from '../../adapters/dynamo/stores.ts'
import { memoryClock } from '../../adapters/memory/clock.ts'
import { localHost } from '../../adapters/memory/hosts.ts'
import { testAddress, testClient } from './dynamo-table.ts'

/** Returns a world on a new table. Each of its two processes has its own connections. */
export async function dynamoWorld(): Promise<World> {
  const clock = memoryClock(Date.now())
  const address = testAddress()
  const [client, other] = [testClient(address), testClient(address)]
  await ensureTable(client)
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const options = { clock, local: localHost, pinned: {}, keys }
  return { clock, stores: dynamoStores(client, options), peer: dynamoStores(other, options) }
}
