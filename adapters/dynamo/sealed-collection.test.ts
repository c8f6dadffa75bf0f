import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { ensureTable } from './create-table.ts'
import { sealedCollection } from './sealed-collection.ts'
import { table } from './table.ts'

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

test('nothing of a record can be read in the table', async () => {
  const { items, k1, things } = await world()
  await things('k1', { k1 }).create({ id: 'a', word: 'hedgehog' })
  const item = (await items.get('things', 'a'))!
  expect(Object.keys(item).sort()).toEqual(['key', 'pk', 'rev', 'sealed', 'sk'])
  expect(Buffer.from(item.sealed as Uint8Array).toString('latin1')).not.toContain('hedgehog')
})

test('a newer key leaves what is there readable, and seals what is written', async () => {
  const { items, k1, k2, things } = await world()
  await things('k1', { k1 }).create({ id: 'a', word: 'hedgehog' })
  const later = things('k2', { k1, k2 })
  const read = (await later.find('a'))!
  expect(read.word).toBe('hedgehog')
  expect(await later.replace(read)).toBeDefined()
  expect((await items.get('things', 'a'))?.key).toBe('k2')
  expect((await things('k2', { k2 }).list()).map(({ word }) => word)).toEqual(['hedgehog'])
  await expect(things('k1', { k1 }).find('a')).rejects.toThrow('key k2')
})

test('a record that was changed, or put under another id, does not open', async () => {
  const { items, k1, things } = await world()
  const all = things('k1', { k1 })
  await all.create({ id: 'a', word: 'hedgehog' })
  const item = (await items.get('things', 'a'))!
  await items.put({ ...item, sk: 'b' })
  await expect(all.find('b')).rejects.toThrow()
  const sealed = Uint8Array.from(item.sealed as Uint8Array)
  sealed[sealed.length - 1]! ^= 1
  await items.put({ ...item, sealed })
  await expect(all.find('a')).rejects.toThrow()
})
