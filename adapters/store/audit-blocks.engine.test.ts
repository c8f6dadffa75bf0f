import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { auditOver, auditRow } from '../testing/contract/audit.ts'
import { present } from '../testing/present.ts'
import { storedAuditBlocks } from './audit-blocks.ts'

/** Stores ten rows, one item each. */
async function tenRows() {
  const table = await newTable()
  const audit = auditOver(storedAuditBlocks(table))
  for (let index = 1; index <= 10; index += 1) await audit.append(auditRow(`row-${index}`))
  const items = await table.query('audit')
  const problems = async () =>
    (await audit.verify()).problems.map(({ kind, from, to }) => `${kind} ${from}-${to}`)
  return { table, audit, items, problems }
}

test('detects manipulated items in the store', async () => {
  const { table, items, problems } = await tenRows()
  const at = (row: number) => present(items[row - 1])
  expect(items).toHaveLength(10)
  expect(await problems()).toEqual([])
  await table.put({ ...at(3), data: String(at(3).data).replace('succeeded', 'refused') })
  await table.remove(at(5))
  await table.put({ ...at(7), data: at(8).data })
  await table.put({ ...at(9), data: undefined, zip: Buffer.from('no deflate stream') })
  await table.remove(at(10))
  expect(await problems()).toEqual([
    'changed 3-3',
    'missing 5-5',
    'missing 7-7',
    'inserted 8-8',
    'changed 9-9',
    'missing 10-10',
  ])
})

test('detects rows restored to an older state, and a whole restored store', async () => {
  const { table, items, audit, problems } = await tenRows()
  for (const item of items.slice(4)) await table.remove(item)
  expect(await problems()).toEqual(['missing 5-10'])
  await audit.append(auditRow('later'))
  expect(await problems()).toEqual(['missing 5-10'])
})
