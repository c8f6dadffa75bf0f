import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, world } from '../../local/harness/world.ts'
import get from './get.ts'
import remove from './remove.ts'

const path = { id: 'far' }

test('409: stacks are still placed on the revoked host', async () => {
  const here = world()
  await givenHost(here, 'far')
  await givenStack(here, 'shop', { host: 'far', deployed: false })
  const { ports } = here
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  const { status, json } = await call(remove, { ports, as: 'admin', path })
  expect([status, json.error]).toEqual([409, 'host far: stacks are placed on it: shop'])
})

test('403: an operator, and who is limited to some hosts', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const { ports } = here
  expect((await call(remove, { ports, as: 'operator', path })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(remove, { ports, as, path })).status).toBe(403)
})

test('204: a revoked host is shown as one, and gone when it is revoked again', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect((await call(get, { ports, as: 'admin', path })).json.status).toBe('revoked')
  expect((await call(remove, { ports, as: 'admin', path })).status).toBe(204)
  expect((await call(get, { ports, as: 'admin', path })).status).toBe(404)
})

test('400: the local host has no agent', async () => {
  const { ports } = world()
  const { status } = await call(remove, { ports, as: 'admin', path: { id: 'local' } })
  expect(status).toBe(400)
})

test('404: no such host', async () => {
  const { ports } = world()
  const { status } = await call(remove, { ports, as: 'admin', path: { id: 'mars' } })
  expect(status).toBe(404)
})
