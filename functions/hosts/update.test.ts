import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, world } from '../../local/harness/world.ts'
import get from './get.ts'
import update from './update.ts'

const path = { id: 'local' }

test('200: sets the name and the tags and keeps omitted fields', async () => {
  const { ports } = world()
  const change = (body: object) => call(update, { ports, as: 'admin', path, body })
  await change({ name: ' warehouse ' })
  const { status, json } = await change({ tags: ['office', 'lab', 'lab'] })
  expect([status, json.name, json.tags]).toEqual([200, 'warehouse', ['lab', 'office']])
  expect((await call(get, { ports, as: 'viewer', path })).json).toEqual(json)
  expect((await change({ tags: [] })).json.tags).toEqual([])
  expect((await ports.hosts.find('local'))?.stacksDirectory).toBe('/opt/stacks')
})

test('200: sets the address for links, or removes it', async () => {
  const { ports } = world()
  const change = async (body: object) =>
    (await call(update, { ports, as: 'admin', path, body })).json.address
  expect(await change({ name: 'warehouse' })).toBeNull()
  expect(await change({ address: ' NAS.lan ' })).toBe('nas.lan')
  expect(await change({ tags: ['lab'] })).toBe('nas.lan')
  expect(await change({ address: '::1' })).toBe('[::1]')
  expect(await change({ address: null })).toBeNull()
})

test('400: an address with a scheme, a port, a path or blanks', async () => {
  const { ports } = world()
  for (const address of ['http://nas', 'nas:80', 'nas/x', 'a b', '', 'u@nas', '1.2.3.4.5', 5]) {
    const { status } = await call(update, { ports, as: 'admin', path, body: { address } })
    expect(status, String(address)).toBe(400)
  }
})

test('200: a new tag gives access to callers with that tag', async () => {
  const { ports } = world()
  const as = { username: 'lena', role: 'viewer', scopeTags: ['lab'] }
  const seen = async () => (await call(get, { ports, as, path })).status
  expect(await seen()).toBe(403)
  await call(update, { ports, as: 'admin', path, body: { tags: ['lab'] } })
  expect(await seen()).toBe(200)
})

test('400: an invalid tag or name, or an unknown field', async () => {
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

test('400: a name that means something else; only the local host may be called local', async () => {
  const here = world()
  await givenHost(here, 'far')
  const change = (id: string, name: string) =>
    call(update, { ports: here.ports, as: 'admin', path: { id }, body: { name } })
  for (const name of ['all', 'Local', '019a0000-0000-7000-8000-000000000001']) {
    const { status, json } = await change('far', name)
    expect([status, json.error]).toEqual([
      400,
      'body.name: must not be `all`, `local` or in the form of an id',
    ])
  }
  expect((await change('local', 'all')).status).toBe(400)
  expect((await change('local', 'warehouse')).status).toBe(200)
  expect((await change('local', 'Local')).status).toBe(200)
})

test('401 and 403: no credential, an operator, or an admin of some hosts', async () => {
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
  expect(await change('far', { name: 'mine' })).toBe(403)
  for (const address of ['evil.example', null]) expect(await change('far', { address })).toBe(403)
  expect((await ports.hosts.find('far'))?.address).toBeUndefined()
  expect(await change('far', {})).toBe(200)
})

test('409: the name of another host', async () => {
  const here = world()
  await givenHost(here, 'far')
  const { ports } = here
  const change = (id: string, name: string) =>
    call(update, { ports, as: 'admin', path: { id }, body: { name } })
  for (const name of ['BOX far', 'ｂox far'])
    expect((await change('local', name)).status, name).toBe(409)
  expect((await change('far', 'box far')).status).toBe(200)
})

test('409: of two requests that set the tags at once, one is refused and changes nothing', async () => {
  const { ports } = world()
  const { replace } = ports.hosts
  ports.hosts.replace = async (host) => {
    ports.hosts.replace = replace
    await call(update, { ports, as: 'admin', path, body: { tags: ['office'] } })
    return replace(host)
  }
  const body = { name: 'warehouse', tags: ['lab'] }
  const { status, json } = await call(update, { ports, as: 'admin', path, body })
  expect([status, json.error]).toEqual([409, expect.stringContaining('its tags')])
  expect(await ports.hosts.find('local')).toMatchObject({ tags: ['office'] })
  ports.hosts.replace = async (host) => {
    ports.hosts.replace = replace
    await call(update, { ports, as: 'admin', path, body: { tags: ['lab'] } })
    return replace(host)
  }
  const renamed = await call(update, { ports, as: 'admin', path, body: { name: 'warehouse' } })
  expect([renamed.status, renamed.json.tags]).toEqual([200, ['lab']])
})
