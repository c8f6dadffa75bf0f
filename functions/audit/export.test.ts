import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import type { MemoryPorts } from '../../adapters/testing/memory/stores.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { givenHost } from '../../local/harness/world.ts'
import { serviceRow } from '../core/audit/row.ts'
import exportRows from './export.ts'

const show = (request: CallRequest<MemoryPorts> = {}) =>
  call(exportRows, { ...request, route: 'GET /audit/export' })

async function withRows(many: number) {
  const ports = memoryPorts()
  const row = { action: 'users.update' as const, outcome: 'succeeded' as const, subject: null }
  const ids = Array.from({ length: many }, (_, index) => index + 1)
  await Promise.all(ids.map((at) => ports.audit.append(serviceRow({ ...row, id: `${at}`, at }))))
  return ports
}

test('200: returns every row once, in pages, with its link in the chain', async () => {
  const ports = await withRows(1100)
  const numbers: number[] = []
  for (let after = 0; ; after = present(numbers.at(-1))) {
    const { json } = await show({ ports, as: 'admin', query: { after: `${after}` } })
    if (json.length === 0) break
    expect(json.length).toBeLessThanOrEqual(500)
    numbers.push(...json.map(({ seq }: Json) => seq))
  }
  expect(numbers).toEqual(Array.from({ length: 1100 }, (_, index) => index + 1))
  const [second] = (await show({ ports, as: 'admin', query: { after: '1' } })).json
  expect(second).toMatchObject({ seq: 2, key: 'memory', row: { id: '2', at: 2 } })
  expect(second.prev).toBe((await show({ ports, as: 'admin' })).json[0].mac)
})

test('200: returns the rows before a given time', async () => {
  const ports = await withRows(5)
  const { json } = await show({ ports, as: 'admin', query: { before: '0.003' } })
  expect(json.map(({ seq }: Json) => seq)).toEqual([1, 2])
})

test('400: invalid row number or time', async () => {
  for (const query of [{ after: '-1' }, { after: 'x' }, { before: 'then' }]) {
    expect((await show({ as: 'admin', query })).status).toBe(400)
  }
})

test('401 and 403: requires a credential, the permission and access to every host', async () => {
  expect((await show()).status).toBe(401)
  expect((await show({ as: 'operator' })).status).toBe(403)
  const ports = memoryPorts()
  await givenHost({ ports }, 'far', { tags: ['far'] })
  const as = { username: 'lab', role: 'admin', scopeTags: ['far'] }
  expect((await show({ ports, as })).status).toBe(403)
})
