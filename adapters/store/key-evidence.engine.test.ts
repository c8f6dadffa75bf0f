import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newTable } from '../../local/harness/dynamo-table.ts'
import { backupRun } from '../testing/contract/samples.ts'
import { memoryClock } from '../testing/memory/clock.ts'
import { storedAuditBlocks } from './audit-blocks.ts'
import { storedBackupRuns } from './backup-runs.ts'
import { keyEvidence, sealedKinds } from './key-evidence.ts'
import { sealedCollection } from './sealed-collection.ts'
import type { Table } from './table.ts'
import { storedTexts } from './texts.ts'

const keys = { current: 'k1', keys: { k1: randomBytes(32) } }

test('an empty store needs no key', async () => {
  const table = await newTable()
  const evidence = keyEvidence(table, table)
  expect(await evidence.secretKeys()).toEqual([])
  expect(await evidence.auditKeys()).toEqual({ newest: undefined, oldest: undefined })
  expect(await evidence.onlyKey()).toBeUndefined()
})

test.each<[string, (table: Table) => Promise<unknown>]>([
  ...sealedKinds.map((kind): [string, (table: Table) => Promise<unknown>] => [
    kind,
    (table) => sealedCollection(table, kind, keys).create({ id: 'one' }),
  ]),
  ['texts', (table) => storedTexts(table, keys, Date).put('services: {}')],
  [
    'backup-runs',
    (table) => storedBackupRuns(table, memoryClock(Date.now()), keys).create(backupRun('r1', 'j1')),
  ],
])('finds the key of a single encrypted value: %s', async (_kind, write) => {
  const table = await newTable()
  await write(table)
  // Texts are found by the index, which may lag behind.
  await expect.poll(() => keyEvidence(table, table).secretKeys()).toEqual(['k1'])
})

test('covers every kind of encrypted record', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'))
  const kinds = files.flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8')
    const calls = text.matchAll(
      /= sealedCollection[^(]*\(\s*\w+,\s*'([^']+)'|: sealedCollection<[^(]*\(\s*\w+,\s*'([^']+)'/g,
    )
    return [...calls].map(([, assigned, member]) => assigned ?? member)
  })
  expect(kinds.sort()).toEqual([...sealedKinds].sort())
})

test('finds the keys of the newest and oldest audit rows, even in a compressed block', async () => {
  const table = await newTable()
  const blocks = storedAuditBlocks(table)
  const put = (position: number, key: string, note = '') =>
    blocks.put({
      position: String(position).padStart(16, '0'),
      text: JSON.stringify({ key, links: [], note }),
    })
  await put(1, 'a1')
  await put(2, 'a2', 'x'.repeat(5000))
  expect(await keyEvidence(table, table).auditKeys()).toEqual({ newest: 'a2', oldest: 'a1' })
  await blocks.put({ position: '0000000000000003', text: 'spoilt' })
  expect(await keyEvidence(table, table).auditKeys()).toMatchObject({ newest: undefined })
})
