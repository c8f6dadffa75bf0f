import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import create from '../users/create.ts'
import verify from './verify.ts'

const route = 'GET /audit/verify'
const body = { username: 'anna', password: 'correct horse battery', role: 'viewer' }

test('200: confirms an intact chain and names a missing row', async () => {
  const ports = memoryPorts()
  await call(create, { ports, as: 'admin', body })
  const good = await call(verify, { ports, as: 'admin', route })
  expect(good.json).toMatchObject({ ok: true, rows: 2, head: { sequence: 2 }, problems: [] })
  const [first] = ports.audit.blocks.texts.keys()
  ports.audit.blocks.texts.delete(present(first))
  const bad = await call(verify, { ports, as: 'admin', route })
  const problems = [{ kind: 'missing', from: 1, to: 1, id: null }]
  expect(bad.json).toMatchObject({ ok: false, rows: 1, problems })
})

test('200: accepts an empty log', async () => {
  expect((await call(verify, { as: 'admin', route })).json).toEqual({
    ok: true,
    rows: 0,
    head: null,
    problems: [],
  })
})
