import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { alertRule } from '../../functions/core/alerts/rule-samples.ts'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { ensureTable } from '../dynamo/create-table.ts'
import { dynamoStore } from '../dynamo/store.ts'
import { table } from '../dynamo/table.ts'
import { account, alertChannel, backupJob } from '../testing/contract/samples.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { agentHost, localHost } from '../testing/memory/hosts.ts'
import { storedExpiredItems } from './expired-items.ts'
import { guardedNames } from './guarded-names.ts'
import { nameGuards } from './guards.ts'
import { storedPorts } from './stores.ts'
import { storedTexts } from './texts.ts'

const day = 86_400_000

/** Returns stores on new tables, and their scans. */
async function world() {
  const client = testClient(testAddress())
  await ensureTable(client)
  const clock = memoryClock(Date.now())
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const stores = storedPorts(dynamoStore(client), { clock, local: localHost, pinned: {}, keys })
  const items = table(client)
  const scan = async () => {
    let from: string | undefined
    do from = await stores.expiredItems.scanPage(from, clock.now() - 3_600_000)
    while (from !== undefined)
  }
  const keysOf = async (beginning: string) => {
    const filter = { filter: 'begins_with(#pk, :beginning)', values: { beginning } }
    const page = await items.scanPage({ ...filter, attributes: [], limit: 1000 })
    return page.items.map(({ pk, sk }) => `${pk} ${sk}`).sort()
  }
  return { items, clock, keys, stores, scan, keysOf }
}

type Stores = Awaited<ReturnType<typeof world>>['stores']

/** A record of each kind with a unique name, and the partition of its collection. */
const named: [string, string, (stores: Stores) => Promise<unknown>][] = [
  ['username#ada', 'accounts', ({ accounts }) => accounts.create(account('a1', 'ada'))],
  ['hostname#box far', 'hosts', ({ hosts }) => hosts.create(agentHost('far'))],
  ['alert-rule-name#busy', 'alert-rules', ({ alertRules }) => alertRules.create(busy)],
  [
    'alert-channel-name#ops',
    'alert-channels',
    (s) => s.alertChannels.create(alertChannel('c1', 'ops')),
  ],
  [
    'backup-job-name#nightly',
    'backup-jobs',
    (s) => s.backupJobs.create(backupJob('j1', 'nightly')),
  ],
]
const busy = alertRule({ id: 'r1', name: 'busy' })

test.each(named)('keeps the guard %s while its record exists', async (pk, of, create) => {
  const { items, clock, stores, scan, keysOf } = await world()
  await create(stores)
  clock.advance(2 * day)
  await scan()
  expect(await keysOf(pk)).toEqual([`${pk} guard`])
  for (const { sk } of await items.query(of)) await items.remove({ pk: of, sk })
  await scan()
  expect(await keysOf(pk)).toEqual([])
})

test('keeps the guard of an identity while its account exists', async () => {
  const { items, clock, stores, scan, keysOf } = await world()
  const identity = { issuer: 'https://id.example.org', subject: 'ada' }
  await stores.accounts.create({ ...account('a1', 'ada'), identity })
  clock.advance(2 * day)
  await scan()
  expect(await keysOf('identity#')).toHaveLength(1)
  await items.remove({ pk: 'accounts', sk: 'a1' })
  await scan()
  expect(await keysOf('identity#')).toEqual([])
})

test('keeps a guard without a record for a day; removes one whose record was renamed', async () => {
  const { items, clock, stores, scan, keysOf } = await world()
  const guards = nameGuards(items, clock, 'hostname', async () => undefined)
  await stores.hosts.create(agentHost('far'))
  await guards.claim('old-name', 'far')
  await guards.claim('never', 'never')
  clock.advance(day - 1000)
  await scan()
  expect(await keysOf('hostname#')).toHaveLength(3)
  clock.advance(1000)
  await scan()
  expect(await keysOf('hostname#')).toEqual(['hostname#box far guard'])
})

test('keeps the guard of an unreadable record', async () => {
  const { clock, keys, stores, scan, keysOf } = await world()
  await stores.backupJobs.create(backupJob('j1', 'nightly'))
  Object.assign(keys, { current: 'k2', keys: { k2: randomBytes(32) } })
  clock.advance(2 * day)
  await scan()
  expect(await keysOf('backup-job-name#')).toHaveLength(1)
})

const large = () => randomBytes(600_000).toString('hex')

test('removes chunks without a text after a day, keeps those of a text', async () => {
  const { items, clock, keys, stores, scan, keysOf } = await world()
  const content = large()
  const digest = await stores.texts.put(content)
  const killed = {
    ...items,
    put: async (item: { pk: string; sk: string }) =>
      item.sk === 'head' ? Promise.reject(new Error('killed')) : items.put(item),
  }
  await expect(storedTexts(killed, keys, clock).put(large())).rejects.toThrow('killed')
  const before = await keysOf('text#')
  clock.advance(day - 1000)
  await scan()
  expect(await keysOf('text#')).toEqual(before)
  clock.advance(1000)
  await scan()
  const left = await keysOf('text#')
  expect(left.length).toBeLessThan(before.length)
  expect(left.every((key) => key.startsWith(`text#${digest} `))).toBe(true)
  expect(await stores.texts.get(digest)).toBe(content)
})

test('timestamps chunks of an earlier version first, removes them in a later scan', async () => {
  const { items, clock, stores, scan, keysOf } = await world()
  const digest = await stores.texts.put(large())
  const pk = `text#${digest}`
  for (const { at: _, ...item } of await items.query(pk)) {
    if (item.sk !== 'head') await items.put({ ...item, sk: `other-${item.sk}` })
  }
  const before = await keysOf('text#')
  await scan()
  expect(await keysOf('text#')).toEqual(before)
  clock.advance(day)
  await scan()
  expect((await keysOf('text#')).filter((key) => key.startsWith(`${pk} other-`))).toEqual([])
  expect(await stores.texts.get(digest)).toHaveLength(1_200_000)
})

test('a writer that paused for a day before the head rewrites its chunks', async () => {
  const { items, clock, keys, stores, scan } = await world()
  const slow = {
    ...items,
    put: async (...write: Parameters<typeof items.put>) => {
      if (write[0].sk === 'head') {
        clock.advance(2 * day)
        await scan()
      }
      return items.put(...write)
    },
  }
  const content = large()
  const digest = await storedTexts(slow, keys, clock).put(content)
  expect(await stores.texts.get(digest)).toBe(content)
})

test('removes the rows of a removed host only', async () => {
  const { clock, stores, scan, keysOf } = await world()
  const hosts = ['local', 'far', 'gone']
  for (const id of hosts.slice(1)) await stores.hosts.create(agentHost(id))
  for (const id of hosts) {
    const thing = { hostId: id, kind: 'volume', name: 'data', stack: 'shop', at: 1 } as const
    await stores.owners.claim(thing)
    await stores.hostWatches.create({ id, expected: {}, restarts: {} })
    await stores.hostStops.create({ id, stops: {} })
    await stores.alertStates.save(stateOn(id))
    await stores.leases.acquire(`look:${id}`, 'p', 1000)
    const connection = { hostId: id, processId: 'p', connectedAt: clock.now() }
    await stores.hostConnections.claim(connection as never)
  }
  await stores.hosts.remove('gone')
  await scan()
  const left = ['owners#', 'host-watches', 'host-stops', 'alert-states#', 'lease#look:']
  for (const kind of [...left, 'host-connections']) {
    const keys = await keysOf(kind)
    expect(keys.map((key) => key.match(/far|gone|local/)?.[0])).toEqual(['far', 'local'])
  }
})

const stateOn = (hostId: string) => ({
  hostId,
  ruleId: 'r1',
  condition: 'x',
  subjects: {},
  outbox: [],
  fence: 1,
  revision: 0,
  rule: { name: 'busy', severity: 'warning' } as never,
})

test('keeps the rows of a host added during the scan', async () => {
  const { items, clock, stores, keysOf } = await world()
  const thing = { hostId: 'new', kind: 'volume', name: 'data', stack: 'shop', at: 1 } as const
  const late = {
    ...items,
    async scanPage(...asked: Parameters<typeof items.scanPage>) {
      await stores.hosts.create(agentHost('new'))
      await stores.owners.claim(thing)
      return items.scanPage(...asked)
    },
  }
  const options = { clock, hosts: stores.hosts, names: guardedNames(stores) }
  await storedExpiredItems(late, late, options).scanPage(undefined, clock.now())
  expect(await keysOf('owners#')).toHaveLength(1)
})
