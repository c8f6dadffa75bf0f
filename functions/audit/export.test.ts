import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { givenHost } from '../../local/harness/world.ts'
import { serviceRow } from '../core/audit/row.ts'
import exportRows from './export.ts'

const show = (request: CallRequest<any> = {}) =>
  call(exportRows, { ...request, route: 'GET /audit/export' })

async function withRows(many: number) {
  const ports = memoryPorts()
  const row = { action: 'a.b', outcome: 'succeeded' as const, subject: null }
  const ids = Array.from({ length: many }, (_, index) => index + 1)
  await Promise.all(ids.map((at) => ports.audit.append(serviceRow({ ...row, id: `${at}`, at }))))
  return ports
}

test('200: every row once, a page at a time, as it stands in the chain', async () => {
  const ports = await withRows(1100)
  const numbers: number[] = []
  for (let after = 0; ; after = numbers.at(-1)!) {
    const { json } = await show({ ports, as: 'admin', query: { after: `${after}` } })
    if (json.length === 0) break
    expect(json.length).toBeLessThanOrEqual(500)
    numbers.push(...json.map(({ seq }: any) => seq))
  }
  expect(numbers).toEqual(Array.from({ length: 1100 }, (_, index) => index + 1))
  const [second] = (await show({ ports, as: 'admin', query: { after: '1' } })).json
  expect(second).toMatchObject({ seq: 2, key: 'memory', row: { id: '2', at: 2 } })
  expect(second.prev).toBe((await show({ ports, as: 'admin' })).json[0].mac)
})

test('200: rows before a time', async () => {
  const ports = await withRows(5)
  const { json } = await show({ ports, as: 'admin', query: { before: '0.003' } })
  expect(json.map(({ seq }: any) => seq)).toEqual([1, 2])
})

test('400: a row or a time that is none', async () => {
  for (const query of [{ after: '-1' }, { after: 'x' }, { before: 'then' }]) {
    expect((await show({ as: 'admin', query })).status).toBe(400)
  }
})

test('401 and 403: without a credential, the permission, or every host', async () => {
  expect((await show()).status).toBe(401)
  expect((await show({ as: 'operator' })).status).toBe(403)
  const ports = memoryPorts()
  await givenHost({ ports } as any, 'far', { tags: ['far'] })
  const as = { username: 'lab', role: 'admin', scopeTags: ['far'] }
  expect((await show({ ports, as })).status).toBe(403)
})
