import { type StoreAddress, storeClient } from '../../adapters/dynamo/client.ts'
import { dynamoStore } from '../../adapters/dynamo/store.ts'
import { systemClock } from '../../adapters/node/process/clock.ts'
import { systemRandom } from '../../adapters/node/process/random.ts'
import { sqliteStore } from '../../adapters/sqlite/store.ts'
import type { Store } from '../../adapters/store/store.ts'
import { storedPorts } from '../../adapters/store/stores.ts'
import { memoryAnchor } from '../../adapters/testing/memory/audit.ts'
import { localHost } from '../../adapters/testing/memory/hosts.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { openAudit } from '../../functions/core/audit/open.ts'

/** Where the store of a run is: at an endpoint, or in an SQLite file. */
export type StorePlace = StoreAddress | { file: string }

/** The keys of all processes of a run. */
const keys = { current: 'k', keys: { k: new Uint8Array(32) } }

function storeAt(place: StorePlace): Store {
  if ('file' in place) return sqliteStore({ file: place.file, explain: async () => undefined })
  return dynamoStore(storeClient(place))
}

/**
 * Opens the store with the adapters of the service. `ahead`: milliseconds by which the clock is
 * ahead. An error that the audit logs, such as a missing row, is thrown.
 */
export async function openStore(place: StorePlace, { ahead = 0 } = {}) {
  const store = storeAt(place)
  await store.ensure()
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const { auditBlocks, ...ports } = storedPorts(store, {
    clock,
    local: localHost,
    pinned: {},
    keys,
  })
  const log = {
    ...memoryLog(),
    error(message: string) {
      throw new Error(message)
    },
  }
  const parts = { blocks: auditBlocks, keys, anchor: memoryAnchor() }
  const audit = openAudit(parts, { clock, random: systemRandom, log })
  return { ...ports, audit, close: () => store.close() }
}

export type OpenedStore = Awaited<ReturnType<typeof openStore>>
