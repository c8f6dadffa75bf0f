import { expect, test } from 'vitest'
import type { NewAuditRow } from '../records/audit-row.ts'
import { serviceRow } from './row.ts'
import { gatherReads } from './secret-reads.ts'

const row = (more: Partial<NewAuditRow> = {}): NewAuditRow => ({
  ...serviceRow({
    id: 'r',
    at: 60_000,
    action: 'stacks.read',
    outcome: 'succeeded',
    subject: null,
  }),
  userId: 'mia',
  ...more,
})

function gathering(fail: () => boolean = () => false) {
  const rows: NewAuditRow[] = []
  const read = gatherReads(async (one) => {
    if (fail()) throw new Error('the store does not answer')
    rows.push(one)
  })
  return { rows, read }
}

test('one row per caller, thing and minute', async () => {
  const { rows, read } = gathering()
  await Promise.all([read(row()), read(row({ at: 61_000 })), read(row({ at: 119_999 }))])
  expect(rows).toHaveLength(1)
  await read(row({ at: 120_000 }))
  await read(row({ at: 120_000, userId: 'lea' }))
  await read(row({ at: 120_000, subject: { kind: 'stacks', id: 'shop' } }))
  await read(row({ at: 120_000, values: { path: '.env' } }))
  await read(row({ at: 120_000, hosts: ['far'] }))
  await read(row({ at: 120_000, values: { environment: 'prod' } }))
  await read(row({ at: 120_000, values: { revision: 3 } }))
  await read(row({ at: 120_000, values: { revision: 3, offset: 65_536 } }))
  expect(rows).toHaveLength(8)
})

test('a row that could not be stored fails the read, and the next read stores it', async () => {
  let isDown = true
  const { rows, read } = gathering(() => isDown)
  await expect(read(row())).rejects.toThrow('does not answer')
  isDown = false
  await read(row())
  expect(rows).toHaveLength(1)
})
