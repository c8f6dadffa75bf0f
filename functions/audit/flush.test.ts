import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { serviceRow } from '../core/audit/row.ts'
import flush from './flush.ts'

test('writes the combined rows of refused requests', async () => {
  const ports = memoryPorts()
  const row = { id: 'x', at: 1, action: 'me.read' as const, subject: null, status: 401 }
  for (let index = 0; index < 12; index += 1) {
    ports.audit.refuse(serviceRow({ ...row, id: `${index}`, outcome: 'refused' }))
  }
  await flush.with(ports)()
  const { rows } = await ports.audit.list({ limit: 99 })
  expect(rows.map(({ count }) => count)).toEqual([2, ...Array(10).fill(1)])
})
