import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TextMark } from '../../functions/core/ports/text-marks.ts'
import { newTable, testAddress, testClient } from '../../local/harness/dynamo-table.ts'
import { flipBits } from '../../local/harness/flip-bits.ts'
import type { StoreClient } from '../dynamo/client.ts'
import { ensureTable } from '../dynamo/create-table.ts'
import { table } from '../dynamo/table.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { present } from '../testing/present.ts'
import { putContent } from '../testing/put-content.ts'
import type { Item } from './item.ts'
import type { SecretKeys } from './sealed.ts'
import { sealedItems } from './sealed-items.ts'
import type { Table } from './table.ts'
import { storedTextMarks } from './text-marks.ts'
import { storedTexts } from './texts.ts'

const text = 'PASSWORD=correct horse battery staple\n'.repeat(20_000)
const newKeys = (id: string): SecretKeys => ({ current: id, keys: { [id]: randomBytes(32) } })
const day = 86_400_000
const damaged = { status: 500, message: 'A stored text is damaged' }

test('stores texts unreadable in the store', async () => {
  const table = await newTable()
  const digest = await storedTexts(table, newKeys('k1'), Date).put('PASSWORD=horse')
  const [head] = await table.query(`text#${digest}`)
  expect(head?.key).toBe('k1')
  expect(Buffer.from(head?.chunk as Uint8Array).toString('latin1')).not.toContain('horse')
  // The digest is keyed, so a guess of the text cannot be verified with it.
  const other = storedTexts(await newTable(), newKeys('k1'), Date)
  expect(await other.put('PASSWORD=horse')).not.toBe(digest)
})

test('compresses a text', async () => {
  const table = await newTable()
  const texts = storedTexts(table, newKeys('k1'), Date)
  const [head] = await table.query(`text#${await texts.put(text)}`)
  expect((present(head).chunk as Uint8Array).length).toBeLessThan(text.length / 100)
})

test('after a key change, reads old texts and encrypts new ones with the new key', async () => {
  const table = await newTable()
  const older = newKeys('k1')
  const digest = await storedTexts(table, older, Date).put(text)
  const both = { current: 'k2', keys: { ...older.keys, ...newKeys('k2').keys } }
  const texts = storedTexts(table, both, Date)
  expect(await texts.get(digest)).toBe(text)
  const next = await texts.put(`${text}\n`)
  expect((await table.get(`text#${next}`, 'head'))?.key).toBe('k2')
  expect(await texts.get(next)).toBe(`${text}\n`)
})

test('stores a known content only once, also after the keys were rotated', async () => {
  const table = await newTable()
  const older = newKeys('k1')
  const digest = await putContent(storedTexts(table, older, Date), randomBytes(10))
  const content = await storedTexts(table, older, Date).getBytes(digest)
  const newer = newKeys('k2')
  const both = { current: 'k2', keys: { ...older.keys, ...newer.keys } }
  expect(await putContent(storedTexts(table, both, Date), content)).toBe(digest)
  await sealedItems(table, both, Date).reencrypt(new AbortController().signal)
  // The old key was removed after the rotation.
  const writes = counted(table)
  expect(await putContent(storedTexts(writes.table, newer, Date), content)).toBe(digest)
  expect(writes.count()).toBe(0)
})

test('many processes that start at once agree on the key of the digests', async () => {
  const table = await newTable()
  const keys = newKeys('k1')
  const digests = await Promise.all(
    Array.from({ length: 8 }, () => storedTexts(table, keys, Date).put('same')),
  )
  expect(new Set(digests).size).toBe(1)
})

test('stores contents after the key of the digests was lost', async () => {
  const table = await newTable()
  await storedTexts(table, newKeys('k1'), Date).put(text)
  const texts = storedTexts(table, newKeys('k2'), Date)
  const digest = await texts.put(text)
  expect(await texts.get(digest)).toBe(text)
  expect(await texts.put(text)).toBe(digest)
})

test('stores 16 MiB in items below the limit of the store, in bounded memory', async () => {
  const table = await newTable()
  const texts = storedTexts(table, newKeys('k1'), Date)
  const contents = Array.from({ length: 4 }, () => randomBytes(16 * 1024 * 1024))
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  }, 5)
  const before = process.memoryUsage().arrayBuffers
  const digests = await Promise.all(contents.map((content) => putContent(texts, content)))
  clearInterval(timer)
  expect(new Set(digests).size).toBe(4)
  const items = await table.query(`text#${digests[0]}`)
  expect(items.length).toBeGreaterThan(40)
  for (const { chunk } of items) expect((chunk as Uint8Array).length).toBeLessThan(400_000)
  // All at once would be copied into 200 MiB and more.
  expect(peak - before).toBeLessThan(128 * 1024 * 1024)
})

test('stores many contents with few requests', async () => {
  const client = testClient(testAddress())
  await ensureTable(client)
  let requests = 0
  const counting: StoreClient = {
    ...client,
    send(call) {
      requests += 1
      return client.send(call)
    },
  }
  const texts = storedTexts(table(counting), newKeys('k1'), Date)
  const contents = Array.from({ length: 300 }, (_, index) => Buffer.from(`content ${index}`))
  await putContent(texts, Buffer.from('creates the key of the digests'))
  requests = 0
  await texts.putMany(contents)
  // Look-ups by the hundred, writes by ten.
  expect(requests).toBe(33)
  await texts.putMany(contents)
  expect(requests).toBe(36)
})

/** Returns the only mark of a table, with this time at which it was found unused. */
async function onlyMark(items: Table, unusedSince: number | null): Promise<TextMark> {
  const list = () => storedTextMarks(items).list(undefined, 10)
  await expect.poll(list).toMatchObject([{ unusedSince }])
  return present((await list())[0])
}

/** Returns a table that calls `before` once, before the first write of a kind. */
function interrupted(items: Table, kind: 'putMany' | 'update', before: () => Promise<void>): Table {
  let left = 1
  const late = { ...items }
  const pause = async () => {
    if (left-- > 0) await before()
  }
  if (kind === 'putMany') late.putMany = (all) => pause().then(() => items.putMany(all))
  else late.update = (key, change) => pause().then(() => items.update(key, change))
  return late
}

test('a write that is late does not undo that others store and renew the same content', async () => {
  const items = await newTable()
  const keys = newKeys('k1')
  const clock = memoryClock()
  const marks = storedTextMarks(items)
  const peer = storedTexts(items, keys, clock)
  let unused: TextMark | undefined
  const late = interrupted(items, 'putMany', async () => {
    await peer.put(text)
    clock.advance(2 * day)
    await marks.markUnused(await onlyMark(items, null), clock.now())
    unused = await onlyMark(items, clock.now())
    clock.advance(2 * day)
  })
  const digest = await storedTexts(late, keys, clock).put(text)
  // The sweep that found the content unused before this write removes nothing.
  expect(await marks.remove(present(unused))).toBe(false)
  expect(await onlyMark(items, null)).toMatchObject({ digest })
  expect(await peer.get(digest)).toBe(text)
})

test('stores a content again that a sweep removes while it is renewed', async () => {
  const items = await newTable()
  const keys = newKeys('k1')
  const clock = memoryClock()
  const marks = storedTextMarks(items)
  const digest = await storedTexts(items, keys, clock).put(text)
  clock.advance(2 * day)
  const mark = await onlyMark(items, null)
  const late = interrupted(items, 'update', async () => {
    expect(await marks.remove(mark)).toBe(true)
  })
  expect(await storedTexts(late, keys, clock).put(text)).toBe(digest)
  expect(await storedTexts(items, keys, clock).get(digest)).toBe(text)
})

/** Returns the table, and the number of writes to it so far. */
function counted(table: Table) {
  let writes = 0
  const count =
    <Args extends unknown[], R>(write: (...args: Args) => R) =>
    (...args: Args) => {
      writes += 1
      return write(...args)
    }
  const counting = {
    put: count(table.put),
    // An empty batch is no write.
    putMany: (items: Item[]) =>
      items.length > 0 ? count(table.putMany)(items) : table.putMany([]),
    update: count(table.update),
  }
  return { table: { ...table, ...counting } as Table, count: () => writes }
}

test('500: the key of a text is missing', async () => {
  const table = await newTable()
  const digest = await storedTexts(table, newKeys('k1'), Date).put(text)
  const failure = { status: 500, message: 'The key k1 of the stored secrets is missing' }
  await expect(storedTexts(table, newKeys('k2'), Date).get(digest)).rejects.toMatchObject(failure)
})

test('500: a text was modified, truncated or swapped in the store', async () => {
  const table = await newTable()
  const texts = storedTexts(table, newKeys('k1'), Date)
  const large = randomBytes(500_000).toString('hex')
  {
    const digest = await texts.put(large)
    const pk = `text#${digest}`
    const items = await table.query(pk)
    expect(items.length).toBeGreaterThan(1)
    const [first] = items
    const flipped = Buffer.from(present(first).chunk as Uint8Array)
    flipBits(flipped, 100, 1)
    await table.put({ ...present(first), chunk: flipped })
    await expect(texts.get(digest)).rejects.toMatchObject(damaged)
    await table.remove(present(first))
    await expect(texts.get(digest)).rejects.toMatchObject({ status: 500 })
  }
  const [one, two] = await Promise.all(['A=1', 'A=2'].map((value) => texts.put(value)))
  const other = present(await table.get(`text#${two}`, 'head'))
  await table.put({ ...other, pk: `text#${one}` })
  await expect(texts.get(present(one))).rejects.toMatchObject(damaged)
})
