import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { alertRule } from '../../functions/core/alerts/rule-samples.ts'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { account, alertChannel, backupJob } from '../contract/samples.ts'
import { memoryClock } from '../memory/clock.ts'
import { agentHost, localHost } from '../memory/hosts.ts'
import { ensureTable } from './create-table.ts'
import { dynamoExpiredItems } from './expired-items.ts'
import { guardedNames } from './guarded-names.ts'
import { nameGuards } from './guards.ts'
import { dynamoStores } from './stores.ts'
import { table } from './table.ts'
import { dynamoTexts } from './texts.ts'

const day = 86_400_000

/** Returns stores on new tables, and their scans. */
async function world() {
  const client = testClient(testAddress())
  await ensureTable(client)
  const clock = memoryClock(Date.now())
  const keys = { current: 'k1', keys: { k1: randomBytes(32) } }
  const stores = dynamoStores(client, { clock, local: localHost, pinned: {}, keys })
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
  ['hostname#far', 'hosts', ({ hosts }) => hosts.create(agentHost('far'))],
  ['alert-rule-name#busy', 'alert-rules', ({ alertRules }) => alertRules.create(busy)],
  ['alert-channel-name#c1', 'alert-channels', (s) => s.alertChannels.create(alertChannel('c1'))],
  ['backup-job-name#j1', 'backup-jobs', (s) => s.backupJobs.create(backupJob('j1', 'j1'))],
]
const busy = alertRule({ id: 'r1', name: 'busy' })

test.each(named)(
  'the guard %s stays with its record and goes without it',
  async (pk, of, create) => {
    const { items, clock, stores, scan, keysOf } = await world()
    await create(stores)
    clock.advance(2 * day)
    await scan()
    expect(await keysOf(pk)).toEqual([`${pk} guard`])
    for (const { sk } of await items.query(of)) await items.remove({ pk: of, sk })
    await scan()
    expect(await keysOf(pk)).toEqual([])
  },
)

test('the guard of an identity stays with its account and goes without it', async () => {
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

test('a guard stays for a day without its record, and goes when its record has another name', async () => {
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
  expect(await keysOf('hostname#')).toEqual(['hostname#far guard'])
})

test('the guard of a record that cannot be read stays', async () => {
  const { clock, keys, stores, scan, keysOf } = await world()
  await stores.backupJobs.create(backupJob('j1', 'j1'))
  Object.assign(keys, { current: 'k2', keys: { k2: randomBytes(32) } })
  clock.advance(2 * day)
  await scan()
  expect(await keysOf('backup-job-name#')).toHaveLength(1)
})

const large = () => randomBytes(600_000).toString('hex')

test('chunks whose text was never written go after a day, those of a text stay', async () => {
  const { items, clock, keys, stores, scan, keysOf } = await world()
  const content = large()
  const digest = await stores.texts.put(content)
  const killed = {
    ...items,
    put: async (item: { pk: string; sk: string }) =>
      item.sk === 'head' ? Promise.reject(new Error('killed')) : items.put(item),
  }
  await expect(dynamoTexts(killed, keys, clock).put(large())).rejects.toThrow('killed')
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

test('chunks of an earlier version get a time first, and go with a later scan', async () => {
  const { items, clock, stores, scan, keysOf } = await world()
  const digest = await stores.texts.put(large())
  const pk = `text#${digest}`
  for (const { at: _, ...item } of await items.query(pk)) {
    if (item.sk !== 'head') await items.put({ ...item, sk: `9${item.sk}` })
  }
  const before = await keysOf('text#')
  await scan()
  expect(await keysOf('text#')).toEqual(before)
  clock.advance(day)
  await scan()
  expect((await keysOf('text#')).filter((key) => key.startsWith(`${pk} 9`))).toEqual([])
  expect(await stores.texts.get(digest)).toHaveLength(1_200_000)
})

test('a writer that paused for a day before its head writes its chunks again', async () => {
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
  const digest = await dynamoTexts(slow, keys, clock).put(content)
  expect(await stores.texts.get(digest)).toBe(content)
})

test('the rows of a removed host go, those of others stay', async () => {
  const { clock, stores, scan, keysOf } = await world()
  const hosts = ['local', 'far', 'gone']
  for (const id of hosts.slice(1)) await stores.hosts.create(agentHost(id))
  for (const id of hosts) {
    const thing = { hostId: id, kind: 'volume', name: 'data', stack: 'shop', at: 1 } as const
    await stores.owners.claim(thing)
    await stores.hostWatches.create({ id, expected: {}, restarts: {} })
    await stores.alertStates.save(stateOn(id))
    await stores.leases.acquire(`look:${id}`, 'p', 1000)
    const connection = { hostId: id, processId: 'p', connectedAt: clock.now() }
    await stores.hostConnections.claim(connection as never)
  }
  await stores.hosts.remove('gone')
  await scan()
  const left = ['owners#', 'host-watches', 'alert-states#', 'lease#look:', 'host-connections']
  for (const kind of left) {
    const keys = await keysOf(kind)
    expect(keys.map((key) => key.match(/far|gone|local/)?.[0])).toEqual(['far', 'local'])
  }
})

const stateOn = (hostId: string) => ({
  ...{ hostId, ruleId: 'r1', condition: 'x', subjects: {}, outbox: [], fence: 1, revision: 0 },
  rule: { name: 'busy', severity: 'warning' } as never,
})

test('a host that is added while a page is looked at keeps its rows', async () => {
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
  await dynamoExpiredItems(late, late, options).scanPage(undefined, clock.now())
  expect(await keysOf('owners#')).toHaveLength(1)
})
