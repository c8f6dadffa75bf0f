import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { storeFormatRecord } from './store-format.ts'

const format = { readableBy: 1, writtenBy: 1, version: '0.1.0' }

test('several processes that create the record get the same one', async () => {
  const record = storeFormatRecord(await newTable())
  expect(await record.find()).toBeUndefined()
  await expect(record.read()).rejects.toThrow('is missing')
  await expect(record.change((one) => one)).rejects.toThrow('is missing')
  const versions = ['0.1.0', '0.2.0', '0.3.0']
  const created = await Promise.all(
    versions.map((version) => record.create({ ...format, version })),
  )
  expect(new Set(created.map(({ version }) => version)).size).toBe(1)
  expect(await record.find()).toEqual(created[0])
})

test('changes made at the same time are all made', async () => {
  const record = storeFormatRecord(await newTable())
  await record.create(format)
  // Each change adds one bit, because a change may be made twice.
  const bits = [2, 4, 8, 16, 32]
  await Promise.all(
    bits.map((bit) => record.change((one) => ({ ...one, readableBy: one.readableBy | bit }))),
  )
  expect(await record.read()).toEqual({ ...format, readableBy: 63 })
})

test.each([
  {},
  { ...format, readableBy: '2' },
  { ...format, writtenBy: 0 },
  { ...format, readableBy: 1.5 },
  { readableBy: 1, writtenBy: 1 },
])('a damaged record is an error, not an empty store: %o', async (damaged) => {
  const table = await newTable()
  await table.put({ pk: 'store-format', sk: '-', ...damaged })
  await expect(storeFormatRecord(table).find()).rejects.toThrow('damaged')
})
