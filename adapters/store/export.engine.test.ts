import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ItemChunk } from '../../functions/core/backups/system/system-parts.ts'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { dynamoStore } from '../dynamo/store.ts'
import { present } from '../testing/present.ts'
import { exportItems } from './export.ts'
import { importItems, isStoreEmpty, readItems } from './import.ts'
import type { Item } from './item.ts'
import type { Store } from './store.ts'
import { storeFormatRecord } from './store-format.ts'

const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }
const never = new AbortController().signal

async function newStore(): Promise<Store> {
  const store = dynamoStore(testClient(testAddress()))
  await store.ensure()
  return store
}

async function exported(store: Store): Promise<ItemChunk[]> {
  const chunks: ItemChunk[] = []
  for await (const chunk of exportItems(store, clock, never)) chunks.push(chunk)
  return chunks
}

const keysOf = (chunks: ItemChunk[]) =>
  chunks.flatMap((chunk) => readItems(chunk).map(({ pk, sk }) => `${pk} ${sk}`))

test('an import into another store restores both tables unchanged', async () => {
  const [one, other] = [await newStore(), await newStore()]
  const items: Item[] = [
    { pk: 'stacks', sk: 'shop', rev: 2 ** 47, data: '{"id":"shop","B":"no bytes"}' },
    { pk: 'text#1', sk: 'head', chunk: randomBytes(300_000), key: 'k', empty: '' },
  ]
  for (const item of items) await one.items.put(item)
  for (let at = 1; at <= 30; at += 1) {
    await one.logs.put({ pk: 'audit', sk: String(at).padStart(16, '0'), data: 'x' })
  }
  const chunks = await exported(one)
  expect(await isStoreEmpty(other)).toBe(true)
  for (const chunk of chunks) await importItems(other, chunk)
  expect(await isStoreEmpty(other)).toBe(false)
  for (const item of items) {
    const found = await other.items.get(item.pk, item.sk)
    expect(found).toEqual({ ...item, ...(item.chunk && { chunk: expect.any(Uint8Array) }) })
    if (item.chunk) expect(Buffer.from(present(found).chunk as Uint8Array)).toEqual(item.chunk)
  }
  expect(await other.logs.query('audit')).toHaveLength(30)
})

test('500: the store is converted while it is exported', async () => {
  const store = await newStore()
  const record = storeFormatRecord(store.items)
  await record.create({ readableBy: 1, writtenBy: 1, version: '0.1.0' })
  expect(keysOf(await exported(store))).toEqual(['store-format -'])
  const reading = (async () => {
    for await (const _ of exportItems(store, clock, never))
      await record.change((format) => ({ ...format, readableBy: 2 }))
  })()
  await expect(reading).rejects.toMatchObject({
    status: 500,
    message: expect.stringContaining('was converted'),
  })
})

test('omits open sessions, running work and expired items', async () => {
  const store = await newStore()
  const stay = ['accounts', 'username#ada', 'tokens', 'token#1', 'hosts', 'setup', 'sessionless']
  const go = [
    ...['session#1', 'sessions#a', 'ticket#1', 'sign-in#1', 'lease#x', 'attempts#1'],
    'idempotent-request#1',
    ...['enrolment#1', 'adoption#1', 'adoption#1#0', 'host-connections', 'sidecars', 'processes'],
  ]
  for (const pk of [...stay, ...go]) await store.items.put({ pk, sk: '-', rev: 1 })
  const soon = Math.ceil(Date.now() / 1000)
  await store.items.put({ pk: 'token#old', sk: '-', ttl: soon - 60 })
  await store.items.put({ pk: 'token#new', sk: '-', ttl: soon + 600 })
  const keys = keysOf(await exported(store))
  expect(keys.sort()).toEqual([...stay, 'token#new'].map((pk) => `${pk} -`).sort())
})

test('reads referenced items after the records', async () => {
  const store = await newStore()
  const late = [
    ['text#1', 'head'],
    ['username#ada', 'guard'],
    ['tokens', 't1'],
    ['deployments-running', 'd1'],
  ]
  for (const [pk, sk] of late) await store.items.put({ pk: present(pk), sk: present(sk), rev: 1 })
  for (const pk of ['accounts', 'stacks', 'token#1', 'zzz']) await store.items.put({ pk, sk: '-' })
  const order = keysOf(await exported(store))
  expect(order.slice(0, 4).every((key) => key.endsWith(' -'))).toBe(true)
  expect(order.slice(4).sort()).toEqual(late.map((key) => key.join(' ')).sort())
})

test.each([
  'not JSON\n',
  '{"Item":{"pk":{"S":"a"}}}\n',
  '{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}',
  'null\n',
])('rejects lines that are not items: %j', (text) => {
  expect(() => readItems({ lines: Buffer.from(text) })).toThrow(
    expect.objectContaining({ status: 422 }),
  )
})
