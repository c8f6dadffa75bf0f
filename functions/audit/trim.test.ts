import { expect, test } from 'vitest'
import { type MemoryPorts, memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { type CallRequest, call } from '../../local/harness/call.ts'
import { givenHost } from '../../local/harness/world.ts'
import { serviceRow } from '../core/audit/row.ts'
import trim from './trim.ts'
import verify from './verify.ts'

const send = (request: CallRequest<MemoryPorts> = {}) =>
  call(trim, { ...request, route: 'POST /audit/trim' })

async function withRows(many: number) {
  const ports = memoryPorts()
  for (let at = 1; at <= many; at += 1) {
    const row = { id: `${at}`, at, action: 'users.update' as const, subject: null }
    await ports.audit.append(serviceRow({ ...row, outcome: 'succeeded' }))
  }
  return ports
}

const codeOf = async (ports: Pick<MemoryPorts, 'audit'>, sequence: number) => ({
  sequence,
  mac: present((await ports.audit.exportAfter(sequence - 1, Number.POSITIVE_INFINITY, 1))[0]).mac,
})

test('200: removes rows, keeps the rest of the chain valid, and records the removal', async () => {
  const ports = await withRows(9)
  const { status, json } = await send({ ports, as: 'admin', body: await codeOf(ports, 5) })
  expect([status, json]).toEqual([200, { sequence: 5, removed: 5 }])
  const verdict = await call(verify, { ports, as: 'admin', route: 'GET /audit/verify' })
  expect(verdict.json).toMatchObject({ ok: true, rows: 6, checkpoint: { sequence: 5 } })
  const { rows } = await ports.audit.list({ limit: 100 })
  expect(rows[0]).toMatchObject({ action: 'audit.trim', outcome: 'succeeded' })
  expect(rows[0]?.values).toMatchObject({ sequence: 5 })
  expect(rows.at(-1)).toMatchObject({ id: '6' })
})

test('400: requires the row and its code', async () => {
  for (const body of [{}, { sequence: 1 }, { sequence: 0, mac: 'x' }, { mac: 'x' }]) {
    expect((await send({ as: 'admin', body })).status).toBe(400)
  }
})

test('401 and 403: requires a credential, the permission and access to every host', async () => {
  const body = { sequence: 1, mac: 'x' }
  expect((await send({ body })).status).toBe(401)
  expect((await send({ as: 'operator', body })).status).toBe(403)
  const ports = memoryPorts()
  await givenHost({ ports }, 'far', { tags: ['far'] })
  const as = { username: 'lab', role: 'admin', scopeTags: ['far'] }
  expect((await send({ ports, as, body })).status).toBe(403)
})

test('409: removes nothing if the code does not match the row', async () => {
  const ports = await withRows(4)
  const body = { ...(await codeOf(ports, 2)), sequence: 3 }
  expect((await send({ ports, as: 'admin', body })).status).toBe(409)
  expect((await ports.audit.verify()).ok).toBe(true)
  expect(await ports.audit.exportAfter(0, 5, 9)).toHaveLength(4)
})
