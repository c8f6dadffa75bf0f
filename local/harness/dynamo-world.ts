import { randomBytes } from 'node:crypto'
import { dynamoStore } from '../../adapters/dynamo/store.ts'
import { type StoreOptions, storedPorts } from '../../adapters/store/stores.ts'
import type { World } from '../../adapters/testing/contract/world.ts'
import { memoryClock } from '../../adapters/testing/memory/clock.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { testAddress, testClient } from './dynamo-table.ts'

/**
 * Returns a world on a new table. Each of its two processes has its own connections. `ofPeer` are
 * the options of the second one that differ.
 */
export async function dynamoWorld(ofPeer: Partial<StoreOptions> = {}): Promise<World> {
  const clock = memoryClock(Date.now())
  const address = testAddress()
  const newStore = () => dynamoStore(testClient(address))
  const [one, other] = [newStore(), newStore()]
  await one.ensure()
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const options = { clock, local: localHost, pinned: {}, keys }
  const peer = storedPorts(other, { ...options, ...ofPeer })
  return { clock, stores: storedPorts(one, options), peer }
}
