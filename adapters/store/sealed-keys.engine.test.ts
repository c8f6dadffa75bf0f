import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newTable, testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { flipBits } from '../../local/harness/flip-bits.ts'
import { dynamoStore } from '../dynamo/store.ts'
import { keyStoreContract } from '../testing/contract/key-store.ts'
import { present } from '../testing/present.ts'
import { installationRecord } from './installation.ts'
import { sealedItems } from './sealed-items.ts'
import { sealedKeys } from './sealed-keys.ts'
import type { Table } from './table.ts'

const key = randomBytes(32)
const outside = { current: 'k1', keys: { k1: key } as Record<string, Uint8Array> }
const keysIn = (table: Table, ring = outside) => sealedKeys(table, ring, 'the table')
const wrong = { current: 'k2', keys: { k2: randomBytes(32) } }

describe('keys in DynamoDB Local', () =>
  keyStoreContract(async () => {
    const address = testAddress()
    const [one, other] = [dynamoStore(testClient(address)), dynamoStore(testClient(address))]
    await one.ensure()
    return { one: keysIn(one.items), other: keysIn(other.items) }
  }))

test('a key is unreadable in the table', async () => {
  const table = await newTable()
  await keysIn(table).create('audit-key', 'hedgehog')
  const item = present(await table.get('shared-keys', 'audit-key'))
  expect(Object.keys(item).sort()).toEqual(['key', 'pk', 'rev', 'sealed', 'sk'])
  expect(Buffer.from(item.sealed as Uint8Array).toString('latin1')).not.toContain('hedgehog')
})

test('a wrong outside key is an error that names both, and changes nothing', async () => {
  const table = await newTable()
  await keysIn(table).create('audit-key', 'hedgehog')
  const before = await table.get('shared-keys', 'audit-key')
  const keys = keysIn(table, wrong)
  await expect(keys.find('audit-key')).rejects.toThrow(
    'audit-key in the table cannot be opened: it is sealed with key k1, which SERVICE_SECRET_KEY does not hold',
  )
  await keys.create('audit-key', 'other')
  // The same id with other bytes, as a forger of the id would have it.
  const forged = keysIn(table, { current: 'k1', keys: { k1: randomBytes(32) } })
  await expect(forged.find('audit-key')).rejects.toThrow('audit-key in the table cannot be opened')
  expect(await table.get('shared-keys', 'audit-key')).toEqual(before)
})

test('rejects a modified key, and one moved to another name', async () => {
  const table = await newTable()
  const keys = keysIn(table)
  await keys.create('audit-keys/1', 'one')
  await keys.create('audit-keys/2', 'two')
  const [one, two] = await table.query('shared-keys')
  await table.put({ ...present(one), sk: present(two).sk })
  await table.put({ ...present(two), sk: present(one).sk })
  for (const name of ['audit-keys/1', 'audit-keys/2'])
    await expect(keys.find(name)).rejects.toThrow('it was changed, or belongs to another name')
  const sealed = Uint8Array.from(present(one).sealed as Uint8Array)
  flipBits(sealed, -1, 1)
  await table.put({ ...present(one), sealed })
  await expect(keys.find('audit-keys/1')).rejects.toThrow('it was changed')
})

test('a rotation of the outside key seals every key and the proof with the new one', async () => {
  const table = await newTable()
  const record = installationRecord(table)
  await record.make('id', { outside, importing: false })
  await keysIn(table).create('audit-key', 'hedgehog')
  const both = { current: 'k2', keys: { k2: randomBytes(32), k1: key } as typeof outside.keys }
  expect(await record.keySeal(both)).toMatchObject({ key: 'k1', retired: [], opens: true })
  const items = sealedItems(table, both, Date)
  await record.moveSeal(both, 'k1')
  expect(await items.reencrypt(new AbortController().signal)).toBe(1)
  expect(await items.count()).toEqual({ k2: 2 })
  delete both.keys.k1
  expect((await keysIn(table, both).find('audit-key'))?.text).toBe('hedgehog')
  const moved = { key: 'k2', retired: ['k1'], opens: true, importing: false }
  expect(await record.keySeal(both)).toEqual(moved)
  expect(await record.keySeal(outside)).toMatchObject({ key: 'k2', opens: false })
  expect(await record.find()).toBe('id')
})

test('a process that has not noticed the new outside key leaves the proof as it is', async () => {
  const table = await newTable()
  const record = installationRecord(table)
  await record.make('id', { outside, importing: false })
  const next = { current: 'k2', keys: { k2: randomBytes(32), k1: key } }
  const late = { current: 'k1', keys: next.keys }
  await record.moveSeal(next, 'k1')
  await record.moveSeal(next, 'k1')
  await sealedItems(table, late, Date).reencrypt(new AbortController().signal)
  expect(await record.keySeal(late)).toMatchObject({ key: 'k2', retired: ['k1'], opens: true })
  const keys = keysIn(table, late)
  expect(await keys.sealedWith?.()).toBe('k2')
  await keys.create('audit-key', 'hedgehog')
  expect((await table.get('shared-keys', 'audit-key'))?.key).toBe('k2')
})

test('one process decides which outside key seals an installation', async () => {
  const table = await newTable()
  const record = installationRecord(table)
  const rings = [outside, wrong]
  const ids = await Promise.all(
    rings.map((ring, index) => record.make(`id-${index}`, { outside: ring, importing: false })),
  )
  expect(new Set(ids).size).toBe(1)
  const seals = await Promise.all(rings.map((ring) => record.keySeal(ring)))
  expect(seals.map((seal) => present(seal).opens).sort()).toEqual([false, true])
  const winner = present(seals[0]).key
  for (const ring of rings) await record.sealKeys({ outside: ring, importing: true })
  expect(await record.keySeal(outside)).toMatchObject({ key: winner, importing: false })
})

test('an installation with files is sealed once, and its import ends once', async () => {
  const table = await newTable()
  const record = installationRecord(table)
  await record.make('id')
  expect(await record.keySeal(outside)).toBeUndefined()
  await record.sealKeys({ outside, importing: true })
  await record.sealKeys({ outside: wrong, importing: false })
  const state = { key: 'k1', retired: [], opens: true }
  expect(await record.keySeal(outside)).toEqual({ ...state, importing: true })
  await record.endImport()
  expect(await record.keySeal(outside)).toEqual({ ...state, importing: false })
  await record.unsealKeys()
  expect(await record.keySeal(outside)).toBeUndefined()
  expect(await record.find()).toBe('id')
})
