import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Upload } from '../../functions/core/records/upload.ts'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { present } from '../testing/present.ts'
import { sealedCollection } from './sealed-collection.ts'
import { sealedItems } from './sealed-items.ts'
import type { Table } from './table.ts'
import { storedTexts } from './texts.ts'
import { storedUploads } from './uploads.ts'

const never = new AbortController().signal

/**
 * Returns a store with secrets of each kind under the first key, and with a second key that was
 * added later.
 */
async function withSecrets(change: (table: Table) => Table = (table) => table) {
  const table = await newTable()
  const ring = { current: 'k1', keys: { k1: randomBytes(32) } as Record<string, Uint8Array> }
  const clock = memoryClock(Date.now())
  const texts = storedTexts(table, ring, Date)
  const records = sealedCollection<{ id: string; secret: string }>(table, 'records', ring)
  const uploads = storedUploads(table, clock, ring)
  const large = randomBytes(600_000).toString('hex')
  const small = await Promise.all(['A=1', 'B=2', 'C=3'].map((text) => texts.put(text)))
  const digest = await texts.put(large)
  await records.create({ id: 'one', secret: 'horse' })
  const adoption = { id: 'a', expiresAt: clock.now() + 3_600_000 } as Upload
  await uploads.save(adoption)
  await uploads.putPart(adoption, 0, Buffer.from('part of a bundle'))
  ring.keys.k2 = randomBytes(32)
  ring.current = 'k2'
  const check = async () => {
    expect(await texts.get(digest)).toBe(large)
    expect(await Promise.all(small.map((one) => texts.get(one)))).toEqual(['A=1', 'B=2', 'C=3'])
    expect((await records.find('one'))?.secret).toBe('horse')
    const part: Uint8Array[] = []
    for await (const chunk of uploads.readPart('a', 0)) part.push(chunk)
    expect(Buffer.concat(part).toString()).toBe('part of a bundle')
  }
  return { table, ring, texts, records, check, items: sealedItems(change(table), ring, Date) }
}

test('re-encrypts every kind of value with the new key unchanged', async () => {
  const { table, ring, items, check } = await withSecrets()
  expect(await items.count()).toEqual({ k1: 7 })
  expect(await items.reencrypt(never)).toBe(7)
  expect(await items.count()).toEqual({ k2: 7 })
  expect(await items.reencrypt(never)).toBe(0)
  delete ring.keys.k1
  await check()
  const chunks = []
  for await (const item of table.scan('chunk')) chunks.push(item)
  expect(chunks.filter(({ pk, sk }) => pk.startsWith('text#') && sk !== 'head')).toHaveLength(1)
})

test('an interrupted re-encryption loses nothing and resumes', async () => {
  for (let writes = 0; writes < 12; writes += 3) {
    let left = writes
    const dying = (table: Table): Table => ({
      ...table,
      put: (...write) => (left-- > 0 ? table.put(...write) : Promise.reject(new Error('killed'))),
    })
    const { table, ring, items, check } = await withSecrets(dying)
    const stop = new AbortController()
    await items.reencrypt(stop.signal).catch(() => {})
    await check()
    await sealedItems(table, ring, Date).reencrypt(never)
    expect(await items.count()).toEqual({ k2: 7 })
    delete ring.keys.k1
    await check()
  }
})

test('keeps values changed during the re-encryption', async () => {
  const { ring, records, items, check } = await withSecrets()
  const old = present(await records.find('one'))
  await Promise.all([
    items.reencrypt(never),
    records.replace({ ...old, secret: 'horse' }),
    ...Array.from({ length: 5 }, () => check()),
  ])
  await items.reencrypt(never)
  delete ring.keys.k1
  await check()
})

test('a value with a missing key does not block the others', async () => {
  const { ring, items } = await withSecrets()
  const gone = present(ring.keys.k1)
  delete ring.keys.k1
  expect(await items.reencrypt(never)).toBe(0)
  ring.keys.k1 = gone
  expect(await items.reencrypt(never)).toBe(7)
})

test('records the key that encrypts everything', async () => {
  const { items } = await withSecrets()
  expect(await items.onlyKey()).toBeUndefined()
  await items.recordOnlyKey('k2')
  expect(await items.onlyKey()).toBe('k2')
  await items.recordOnlyKey(null)
  expect(await items.onlyKey()).toBeUndefined()
})
