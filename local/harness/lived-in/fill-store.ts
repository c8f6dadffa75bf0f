import { type Config, readConfig } from '../../../adapters/node/config/config.ts'
import { fileAnchor } from '../../../adapters/node/data/audit-anchor.ts'
import { keyStores } from '../../../adapters/node/data/key-place.ts'
import { openKeyRing } from '../../../adapters/node/keys/key-ring.ts'
import { systemClock } from '../../../adapters/node/process/clock.ts'
import { systemRandom } from '../../../adapters/node/process/random.ts'
import { openConfiguredStore } from '../../../adapters/node/start/configured-store.ts'
import { storedAlertEvents } from '../../../adapters/store/alert-events.ts'
import { storedAuditBlocks } from '../../../adapters/store/audit-blocks.ts'
import { storedCollection } from '../../../adapters/store/collection.ts'
import { storedDeployments } from '../../../adapters/store/deployments.ts'
import type { Item } from '../../../adapters/store/item.ts'
import type { Store, StoreTables } from '../../../adapters/store/store.ts'
import type { Table } from '../../../adapters/store/table.ts'
import { memoryLog } from '../../../adapters/testing/memory/log.ts'
import { present } from '../../../adapters/testing/present.ts'
import { openAudit } from '../../../functions/core/audit/open.ts'
import type { StackRecord } from '../../../functions/core/records/stack.ts'
import { firstIdAt } from '../../../functions/core/records/time-range.ts'
import { pastAuditRow, pastDeployment, pastEvent } from './past.ts'

/** The number of deployments, alert events and audit rows. */
const rows = 1500
/** Milliseconds between two rows of a kind. All of them together are of the last 30 days. */
const apart = (30 * 86_400_000) / rows

/** Returns an id of this time. No two rows of a kind have the same time. */
const idAt = (at: number) => `${firstIdAt(at)}-7000-8000-000000000000`

/**
 * Adds the history of a stack to the store of a running service: deployments, alert events and
 * audit rows. Does nothing if the service has a store to itself.
 *
 * @param env the environment of the service
 */
export async function fillStore(env: Record<string, string>, stack: string): Promise<void> {
  const config = readConfig({ ...process.env, ...env })
  const { kind, endpoint } = config.store
  if (kind === 'sqlite' || endpoint !== process.env.SERVICE_DYNAMODB_ENDPOINT) return
  const { store, stop } = await openConfiguredStore(config)
  try {
    const record = present(await storedCollection<StackRecord>(store.items, 'stacks').find(stack))
    const now = Date.now()
    const times = Array.from({ length: rows }, (_, index) => now - (rows - index) * apart)
    await Promise.all([
      addDeployments(store, record, times),
      addEvents(store, record, times),
      addAuditRows(config, store, record, times),
    ])
  } finally {
    await stop()
  }
}

async function addDeployments({ items }: StoreTables, record: StackRecord, times: number[]) {
  const found: Item[] = []
  const deployments = storedDeployments(collecting(items, found))
  for (const at of times) await deployments.create(pastDeployment(record, at, idAt(at)))
  await items.putMany(found)
}

async function addEvents({ logs }: StoreTables, record: StackRecord, times: number[]) {
  const found: Item[] = []
  const events = storedAlertEvents(collecting(logs, found), systemClock)
  for (const at of times) await events.add(pastEvent(record, at, idAt(at)))
  await logs.putMany(found)
}

/** Returns a table that collects the items put into it. Many at once are quicker to store. */
const collecting = (table: Table, found: Item[]): Table => ({
  ...table,
  async put(item) {
    found.push(item)
    return true
  },
})

async function addAuditRows(config: Config, store: Store, record: StackRecord, times: number[]) {
  const [keyStore] = keyStores(config, store)
  const keys = await openKeyRing({ keys: keyStore, name: 'audit-key', configured: config.auditKey })
  const log = memoryLog()
  const anchor = fileAnchor(config.dataDirectory, config.store.table, log)
  const blocks = storedAuditBlocks(store.logs)
  const ports = { clock: systemClock, random: systemRandom, log }
  const audit = openAudit({ blocks, keys, anchor }, ports)
  await Promise.all(times.map((at) => audit.append(pastAuditRow(record, at, idAt(at)))))
  await audit.flush()
}
