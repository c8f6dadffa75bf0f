import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import type { SecretKeys } from './sealed.ts'
import { dynamoTexts } from './texts.ts'

const text = 'PASSWORD=correct horse battery staple\n'.repeat(20_000)
const newKeys = (id: string): SecretKeys => ({ current: id, keys: { [id]: randomBytes(32) } })
const damaged = { status: 500, message: 'A stored text is damaged' }

test('nothing of a text can be read in the store', async () => {
  const table = await newTable()
  const digest = await dynamoTexts(table, newKeys('k1'), Date).put('PASSWORD=horse')
  const [head] = await table.query(`text#${digest}`)
  expect(head?.key).toBe('k1')
  expect(Buffer.from(head?.chunk as Uint8Array).toString('latin1')).not.toContain('horse')
  // The digest is keyed, so a guess of the text cannot be verified with it.
  expect(await dynamoTexts(table, newKeys('k1'), Date).put('PASSWORD=horse')).not.toBe(digest)
})

test('a text is kept short', async () => {
  const table = await newTable()
  const texts = dynamoTexts(table, newKeys('k1'), Date)
  const [head] = await table.query(`text#${await texts.put(text)}`)
  expect((head!.chunk as Uint8Array).length).toBeLessThan(text.length / 100)
})

test('after a change of the key older texts can be read, and newer ones are under the new key', async () => {
  const table = await newTable()
  const older = newKeys('k1')
  const digest = await dynamoTexts(table, older, Date).put(text)
  const both = { current: 'k2', keys: { ...older.keys, ...newKeys('k2').keys } }
  const texts = dynamoTexts(table, both, Date)
  expect(await texts.get(digest)).toBe(text)
  const next = await texts.put(text)
  expect((await table.get(`text#${next}`, 'head'))?.key).toBe('k2')
  expect(await texts.get(next)).toBe(text)
})

test('500: the key of a text is missing', async () => {
  const table = await newTable()
  const digest = await dynamoTexts(table, newKeys('k1'), Date).put(text)
  const failure = { status: 500, message: 'The key k1 of the stored secrets is missing' }
  await expect(dynamoTexts(table, newKeys('k2'), Date).get(digest)).rejects.toMatchObject(failure)
})

test('500: a text that was changed, cut or exchanged in the store', async () => {
  const table = await newTable()
  const texts = dynamoTexts(table, newKeys('k1'), Date)
  const large = randomBytes(500_000).toString('hex')
  {
    const digest = await texts.put(large)
    const pk = `text#${digest}`
    const items = await table.query(pk)
    expect(items.length).toBeGreaterThan(1)
    const [first] = items
    const flipped = Buffer.from(first!.chunk as Uint8Array)
    flipped[100]! ^= 1
    await table.put({ ...first!, chunk: flipped })
    await expect(texts.get(digest)).rejects.toMatchObject(damaged)
    await table.remove(first!)
    await expect(texts.get(digest)).rejects.toMatchObject({ status: 500 })
  }
  const [one, two] = await Promise.all(['A=1', 'A=2'].map((value) => texts.put(value)))
  const other = (await table.get(`text#${two}`, 'head'))!
  await table.put({ ...other, pk: `text#${one}` })
  await expect(texts.get(one!)).rejects.toMatchObject(damaged)
})
