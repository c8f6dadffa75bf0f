import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { flipBits } from '../../local/harness/flip-bits.ts'
import { ensureTable } from '../dynamo/create-table.ts'
import { table } from '../dynamo/table.ts'
import { present } from '../testing/present.ts'
import { sealedCollection } from './sealed-collection.ts'

interface Thing {
  id: string
  word: string
}

async function world() {
  const client = testClient(testAddress())
  await ensureTable(client)
  const items = table(client)
  const [k1, k2] = [randomBytes(32), randomBytes(32)]
  const things = (current: string, keys: Record<string, Uint8Array>) =>
    sealedCollection<Thing>(items, 'things', { current, keys })
  return { items, k1, k2, things }
}

test('stores records unreadable in the table', async () => {
  const { items, k1, things } = await world()
  await things('k1', { k1 }).create({ id: 'a', word: 'hedgehog' })
  const item = present(await items.get('things', 'a'))
  expect(Object.keys(item).sort()).toEqual(['key', 'pk', 'rev', 'sealed', 'sk'])
  expect(Buffer.from(item.sealed as Uint8Array).toString('latin1')).not.toContain('hedgehog')
})

test('reads records under an older key, and encrypts new ones with the newest', async () => {
  const { items, k1, k2, things } = await world()
  await things('k1', { k1 }).create({ id: 'a', word: 'hedgehog' })
  const later = things('k2', { k1, k2 })
  const read = present(await later.find('a'))
  expect(read.word).toBe('hedgehog')
  expect(await later.replace(read)).toBeDefined()
  expect((await items.get('things', 'a'))?.key).toBe('k2')
  expect((await things('k2', { k2 }).list()).map(({ word }) => word)).toEqual(['hedgehog'])
  await expect(things('k1', { k1 }).find('a')).rejects.toThrow('key k2')
})

test('rejects a modified record and one moved to another ID', async () => {
  const { items, k1, things } = await world()
  const all = things('k1', { k1 })
  await all.create({ id: 'a', word: 'hedgehog' })
  const item = present(await items.get('things', 'a'))
  await items.put({ ...item, sk: 'b' })
  await expect(all.find('b')).rejects.toThrow()
  const sealed = Uint8Array.from(item.sealed as Uint8Array)
  flipBits(sealed, -1, 1)
  await items.put({ ...item, sealed })
  await expect(all.find('a')).rejects.toThrow()
})
