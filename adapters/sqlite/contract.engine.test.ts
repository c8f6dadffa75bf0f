/** Costs: the whole contract of stores, with a file and two threads for each of its worlds. */
import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { newStoreFile, openedSqlite } from '../../local/harness/sqlite-store.ts'
import { storedPorts } from '../store/stores.ts'
import { storesContract } from '../testing/contract/stores.ts'
import type { NewWorld } from '../testing/contract/world.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { localHost } from '../testing/memory/hosts.ts'

/** Two processes with a file. Each has its own connection. */
const sqliteWorld: NewWorld = async () => {
  const clock = memoryClock(Date.now())
  const file = newStoreFile()
  const [one, other] = await Promise.all([openedSqlite(file), openedSqlite(file)])
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const options = { clock, local: localHost, pinned: {}, keys }
  return { clock, stores: storedPorts(one, options), peer: storedPorts(other, options) }
}

describe('stores in SQLite', () => storesContract(sqliteWorld))
