import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import get from './get.ts'
import update from './update.ts'

const path = { id: 'local' }

test('200: the local host gets a name and tags, and keeps what is left out', async () => {
  const { ports } = world()
  const change = (body: object) => call(update, { ports, as: 'admin', path, body })
  await change({ name: ' warehouse ' })
  const { status, json } = await change({ tags: ['office', 'lab', 'lab'] })
  expect([status, json.name, json.tags]).toEqual([200, 'warehouse', ['lab', 'office']])
  expect((await call(get, { ports, as: 'viewer', path })).json).toEqual(json)
  expect((await change({ tags: [] })).json.tags).toEqual([])
  expect((await ports.hosts.find('local'))?.stacksDirectory).toBe('/opt/stacks')
})

test('200: who is limited to a tag reaches the host that gets it', async () => {
  const { ports } = world()
  const as = { username: 'lena', role: 'viewer', scopeTags: ['lab'] }
  const seen = async () => (await call(get, { ports, as, path })).status
  expect(await seen()).toBe(403)
  await call(update, { ports, as: 'admin', path, body: { tags: ['lab'] } })
  expect(await seen()).toBe(200)
})

test('400: a tag or a name that cannot be, or another field', async () => {
  const { ports } = world()
  const wrong = [
    { tags: ['-lab'] },
    { tags: ['Lab'] },
    { tags: 'lab' },
    { name: '' },
    { name: 'a\u001b[31m' },
    { name: 'a'.repeat(65) },
    { kind: 'agent' },
  ]
  for (const body of wrong) {
    expect((await call(update, { ports, as: 'admin', path, body })).status).toBe(400)
  }
})

test('401 and 403: nobody, an operator, who is limited to some hosts', async () => {
  const here = world()
  const { ports } = here
  await givenHost(here, 'far', { tags: ['lab'] })
  expect((await call(update, { ports, path, body: {} })).status).toBe(401)
  expect((await call(update, { ports, path, body: {}, as: 'operator' })).status).toBe(403)
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  const change = async (id: string, body: object) =>
    (await call(update, { ports, path: { id }, body, as })).status
  expect(await change('far', { tags: ['lab', 'office'] })).toBe(403)
  expect(await change('local', { name: 'mine' })).toBe(403)
  expect(await change('far', { name: 'mine' })).toBe(200)
})

test('404: no such host', async () => {
  const { ports } = world()
  const { status } = await call(update, { ports, as: 'admin', path: { id: 'mars' }, body: {} })
  expect(status).toBe(404)
})

test('409: another host has the name', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const change = (id: string, name: string) =>
    call(update, { ports, as: 'admin', path: { id }, body: { name } })
  expect((await change('local', 'FAR')).status).toBe(409)
  expect((await change('far', 'local')).status).toBe(409)
  expect((await change('far', 'Far')).status).toBe(200)
})
