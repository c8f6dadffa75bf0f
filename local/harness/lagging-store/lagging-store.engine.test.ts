import { expect, onTestFinished, test } from 'vitest'
import { storeClient } from '../../../adapters/dynamo/client.ts'
import { ensureTable } from '../../../adapters/dynamo/create-table.ts'
import { table } from '../../../adapters/dynamo/table.ts'
import { toWire } from '../../../adapters/store/wire.ts'
import { testAddress } from '../dynamo-table.ts'
import { type LaggingStoreOptions, startLaggingStore } from './lagging-store.ts'

const perfect = { throttled: 0, failed: 0, lost: 0, slow: 0 }
/** Milliseconds. Longer than a test runs. */
const forever = 3_600_000
const key = { pk: 'p', sk: 's' }
const indexed = { gsi1pk: 'all', gsi1sk: '1' }

/** Starts a lagging store, without faults if none are given. */
async function started({ faults = {}, lagMax = 0 }: { faults?: object; lagMax?: number }) {
  const options: LaggingStoreOptions = {
    behind: () => String(process.env.SERVICE_DYNAMODB_ENDPOINT),
    seed: 1,
    lagMax,
    faults: { ...perfect, ...faults },
  }
  const store = await startLaggingStore(options)
  const address = testAddress()
  const client = storeClient({ ...address, endpoint: store.endpoint })
  onTestFinished(async () => {
    client.close()
    await store.close()
  })
  return { client, endpoint: store.endpoint }
}

/** Starts a lagging store with a new table. */
async function lagging(how: Parameters<typeof started>[0]) {
  const { client, endpoint } = await started(how)
  await ensureTable(client)
  return { endpoint, name: client.table, items: table(client) }
}

/** Sends a request without the SDK, which would repeat it. Returns the text of the response. */
async function askOnce(endpoint: string, operation: string, input: object, attempt = 1) {
  const headers = {
    'x-amz-target': `DynamoDB_20120810.${operation}`,
    'content-type': 'application/x-amz-json-1.0',
    authorization: `AWS4-HMAC-SHA256 Credential=${process.env.AWS_ACCESS_KEY_ID}/x/local/x/x`,
    'amz-sdk-request': `attempt=${attempt}; max=3`,
  }
  const body = JSON.stringify(input)
  return (await fetch(endpoint, { method: 'POST', headers, body })).text()
}

test('consistent reads and conditions see a write that the index does not see yet', async () => {
  const { items } = await lagging({ lagMax: forever })
  await items.put({ ...key, ...indexed, rev: 1 })
  expect(await items.queryIndex('all')).toEqual([])
  expect(await items.get('p', 's')).toMatchObject({ rev: 1 })
  expect(await items.query('p')).toHaveLength(1)
  expect(await items.getMany([key])).toHaveLength(1)
  expect((await items.scanPage({})).items).toHaveLength(1)
  expect(await items.put(key, { if: 'attribute_not_exists(#pk)' })).toBe(false)
})

test('a read that does not ask for consistency sees the old or the new state', async () => {
  const { items, endpoint, name } = await lagging({ lagMax: forever })
  await items.put({ ...key, rev: 1 })
  const input = { TableName: name, Key: toWire(key) }
  const read = async () => JSON.parse(await askOnce(endpoint, 'GetItem', input)).Item
  const found = await Promise.all(Array.from({ length: 40 }, read))
  expect(found).toContainEqual(toWire({ ...key, rev: 1 }))
  expect(found).toContain(undefined)
})

test('the index sees each write in the end, and an item never goes back', async () => {
  const { items } = await lagging({ lagMax: 50 })
  const seen: unknown[] = []
  const look = async () => seen.push((await items.queryIndex('all'))[0]?.rev)
  for (let rev = 1; rev <= 20; rev += 1) {
    await items.put({ ...key, ...indexed, rev })
    await look()
  }
  await expect.poll(() => items.queryIndex('all')).toEqual([{ ...key, ...indexed, rev: 20 }])
  const revisions = seen.filter((rev) => rev !== undefined)
  expect(revisions).toEqual(revisions.toSorted((one, other) => Number(one) - Number(other)))
  await items.update(key, { set: '#rev = :rev', if: '#rev = :seen', values: { rev: 21, seen: 20 } })
  await expect.poll(() => items.queryIndex('all')).toMatchObject([{ rev: 21 }])
  await items.remove(key)
  await expect.poll(() => items.queryIndex('all')).toEqual([])
  await items.putMany([{ ...key, ...indexed, rev: 22 }])
  await expect.poll(() => items.queryIndex('all')).toMatchObject([{ rev: 22 }])
  await items.removeMany([key])
  await expect.poll(() => items.queryIndex('all')).toEqual([])
})

test('the SDK repeats requests that fail, and finds writes whose answer was lost', async () => {
  for (const faults of [{ failed: 1 }, { lost: 1 }]) {
    const { items } = await lagging({ faults })
    expect(await items.put({ ...key, rev: 1 }, { if: 'attribute_not_exists(#pk)' })).toBe(true)
    expect(await items.put({ ...key, rev: 2 }, { if: 'attribute_not_exists(#pk)' })).toBe(false)
    expect(await items.get('p', 's')).toEqual({ ...key, rev: 1 })
  }
})

test('throttles every attempt but the last one, as DynamoDB words it', async () => {
  const { endpoint } = await started({ faults: { throttled: 1 } })
  const input = { TableName: 'none', Key: toWire(key) }
  const attempt = (number: number) => askOnce(endpoint, 'GetItem', input, number)
  expect(await attempt(1)).toContain('#ProvisionedThroughputExceededException')
  expect(await attempt(2)).toContain('#ProvisionedThroughputExceededException')
  expect(await attempt(3)).toContain('#ResourceNotFoundException')
})

test('refuses transactions, which not every store has', async () => {
  const { endpoint } = await started({})
  const refused = await askOnce(endpoint, 'TransactWriteItems', { TransactItems: [] })
  expect(refused).toContain('TransactWriteItems is outside of what all stores can do')
})
