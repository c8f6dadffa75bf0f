import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ItemChunk } from '../../functions/core/backups/system-parts.ts'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { logsOf, type StoreClient } from './client.ts'
import { ensureTable } from './create-table.ts'
import { exportItems } from './export.ts'
import { importItems, isStoreEmpty, readItems } from './import.ts'
import type { Item } from './item.ts'
import { table } from './table.ts'

const clock = { now: Date.now, monotonic: () => performance.now(), sleep: async () => {} }
const never = new AbortController().signal

async function newStore(): Promise<StoreClient> {
  const client = testClient(testAddress())
  await ensureTable(client)
  return client
}

async function exported(client: StoreClient): Promise<ItemChunk[]> {
  const chunks: ItemChunk[] = []
  for await (const chunk of exportItems(client, clock, never)) chunks.push(chunk)
  return chunks
}

const keysOf = (chunks: ItemChunk[]) =>
  chunks.flatMap((chunk) => readItems(chunk).map(({ pk, sk }) => `${pk?.S} ${sk?.S}`))

test('what is exported and imported into another store is there as it was, in both tables', async () => {
  const [one, other] = [await newStore(), await newStore()]
  const items: Item[] = [
    { pk: 'stacks', sk: 'shop', rev: 2 ** 47, data: '{"id":"shop","B":"no bytes"}' },
    { pk: 'text#1', sk: 'head', chunk: randomBytes(300_000), key: 'k', empty: '' },
  ]
  for (const item of items) await table(one).put(item)
  for (let at = 1; at <= 30; at += 1) {
    await table(logsOf(one)).put({ pk: 'audit', sk: String(at).padStart(16, '0'), data: 'x' })
  }
  const chunks = await exported(one)
  expect(await isStoreEmpty(other)).toBe(true)
  for (const chunk of chunks) await importItems(other, chunk)
  expect(await isStoreEmpty(other)).toBe(false)
  for (const item of items) {
    const found = await table(other).get(item.pk, item.sk)
    expect(found).toEqual({ ...item, ...(item.chunk && { chunk: expect.any(Uint8Array) }) })
    if (item.chunk) expect(Buffer.from(found!.chunk as Uint8Array)).toEqual(item.chunk)
  }
  expect(await table(logsOf(other)).query('audit')).toHaveLength(30)
})

test('what is open or under way, and what has expired, must not come back', async () => {
  const client = await newStore()
  const stay = ['accounts', 'username#ada', 'tokens', 'token#1', 'hosts', 'setup', 'sessionless']
  const go = [
    ...['session#1', 'sessions#a', 'ticket#1', 'sign-in#1', 'lease#x', 'attempts#1'],
    ...['enrolment#1', 'adoption#1', 'adoption#1#0', 'host-connections', 'sidecars'],
  ]
  for (const pk of [...stay, ...go]) await table(client).put({ pk, sk: '-', rev: 1 })
  const soon = Math.ceil(Date.now() / 1000)
  await table(client).put({ pk: 'token#old', sk: '-', ttl: soon - 60 })
  await table(client).put({ pk: 'token#new', sk: '-', ttl: soon + 600 })
  const keys = keysOf(await exported(client))
  expect(keys.sort()).toEqual([...stay, 'token#new'].map((pk) => `${pk} -`).sort())
})

test('what records lead to is read after them', async () => {
  const client = await newStore()
  const late = [
    ['text#1', 'head'],
    ['username#ada', 'guard'],
    ['tokens', 't1'],
    ['deployments-running', 'd1'],
  ]
  for (const [pk, sk] of late) await table(client).put({ pk: pk!, sk: sk!, rev: 1 })
  for (const pk of ['accounts', 'stacks', 'token#1', 'zzz'])
    await table(client).put({ pk, sk: '-' })
  const order = keysOf(await exported(client))
  expect(order.slice(0, 4).every((key) => key.endsWith(' -'))).toBe(true)
  expect(order.slice(4).sort()).toEqual(late.map((key) => key.join(' ')).sort())
})

test.each([
  'no JSON\n',
  '{"Item":{"pk":{"S":"a"}}}\n',
  '{"Item":{"pk":{"S":"a"},"sk":{"S":"b"}}}',
  'null\n',
])('lines that are no items are refused: %j', (text) => {
  expect(() => readItems({ lines: Buffer.from(text) })).toThrow(
    expect.objectContaining({ status: 422 }),
  )
})
