import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, shop, world } from '../../local/harness/world.ts'
import get from './get.ts'
import update from './update.ts'

const path = { name: 'shop' }

test('200: returns the stack with its files', async () => {
  const here = world()
  await givenStack(here)
  const { status, json } = await call(get, { ports: here.ports, as: 'operator', path })
  expect(status).toBe(200)
  expect(json).toMatchObject({ status: 'running', compose: shop, env: null, drift: [] })
  expect(json.files).toMatchObject([{ path: 'compose.yaml', size: shop.length }])
})

test('200: returns .env only to callers who may read secrets', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  await call(update, { ports: here.ports, as: 'operator', path, body: { env: 'KEY=hunter2' } })
  const asked = { ports: here.ports, path }
  expect((await call(get, { ...asked, as: 'operator' })).json.env).toBe('KEY=hunter2')
  const viewed = await call(get, { ...asked, as: 'viewer' })
  expect(viewed.json.env).toBeNull()
  expect(viewed.text).not.toContain('hunter2')
})

test('200: names the account that last saved the files', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  const body = { env: 'A=1' }
  await call(update, { ports: here.ports, as: 'admin', path, body })
  expect((await call(get, asked)).json.saved_by).toBe('admin')
  const stack = present(await here.ports.stacks.find('shop'))
  const { savedBy: _, ...files } = stack.files
  await here.ports.stacks.replace({ ...stack, files })
  expect((await call(get, asked)).json.saved_by).toBeNull()
})

test('200: reports a file edited or deleted on the host as drift', async () => {
  const here = world()
  await givenStack(here)
  const file = present(here.engine.state.files.get('/opt/stacks/shop/compose.yaml'))
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  here.engine.state.files.set('/opt/stacks/shop/compose.yaml', {
    ...file,
    content: Buffer.from('edited'),
  })
  expect((await call(get, asked)).json.drift).toEqual([
    { path: 'compose.yaml', change: 'modified' },
  ])
  here.engine.state.files.clear()
  expect((await call(get, asked)).json.drift).toEqual([{ path: 'compose.yaml', change: 'missing' }])
})

test('200: says how the last update went, and its rollback', async () => {
  const here = world()
  await givenStack(here)
  const asked = { ports: here.ports, as: 'viewer' as const, path }
  expect((await call(get, asked)).json.last_update).toBeNull()
  const at = Date.parse('2026-11-01T10:00:00Z')
  const error = 'compose.yaml was changed on the host'
  const rollback = { state: 'due' as const, attempts: 2, nextAt: at + 300_000, error }
  const update = { deploymentId: 'one', outcome: 'bad' as const, reason: 'it ended with 1', at }
  await here.ports.stacks.replace({
    ...present(await here.ports.stacks.find('shop')),
    update: { ...update, rollback },
  })
  expect((await call(get, asked)).json.last_update).toEqual({
    deployment_id: 'one',
    outcome: 'bad',
    reason: 'it ended with 1',
    at: '2026-11-01T10:00:00.000Z',
    undone_by: null,
    rollback: { state: 'due', attempts: 2, next_at: '2026-11-01T10:05:00.000Z', error },
    undo: null,
  })
})

test('403: a stack on a host out of scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  await givenStack(here)
  const as = { username: 'ada', role: 'admin', scopeTags: ['lab'] }
  expect((await call(get, { ports: here.ports, as, path })).status).toBe(403)
})
