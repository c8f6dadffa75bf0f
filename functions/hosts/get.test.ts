import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import get from './get.ts'

test('200: the local host', async () => {
  const { ports } = world()
  const { status, json } = await call(get, { ports, as: 'viewer', path: { id: 'local' } })
  expect([status, json.kind, json.status]).toEqual([200, 'local', 'online'])
})

test('403: outside the scope', async () => {
  const here = world()
  await givenHost(here, 'far', { tags: ['lab'] })
  const as = { username: 'ada', role: 'viewer', scopeTags: ['lab'] }
  const { status } = await call(get, { ports: here.ports, as, path: { id: 'local' } })
  expect(status).toBe(403)
})

test('404: no such host', async () => {
  const { ports } = world()
  expect((await call(get, { ports, as: 'viewer', path: { id: 'mars' } })).status).toBe(404)
})
