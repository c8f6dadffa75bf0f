import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenHost, world } from '../../local/harness/world.ts'
import list from './list.ts'
import remove from './remove.ts'

async function withOne({ started = false } = {}) {
  const here = world()
  const id = await givenContainer(here, 'one', { started })
  const ask = (path: string, query = {}) =>
    call(remove, { ports: here.ports, as: 'operator', path: { id: path }, query })
  const listed = async () => {
    const query = { all: true }
    const { json } = await call(list, { ports: here.ports, as: 'operator', query })
    return json.map((one: Json) => one.id)
  }
  return { ...here, id, ask, listed }
}

test('204: removes the container from the list at once; a second removal fails', async () => {
  const { id, ask, listed } = await withOne()
  expect(await listed()).toEqual([id])
  expect((await ask('one')).status).toBe(204)
  expect(await listed()).toEqual([])
  expect((await ask(id)).status).toBe(404)
})

test('204: removes a running container with force, also on another host, and records it', async () => {
  const here = await withOne()
  const far = await givenHost(here, 'far')
  const id = await givenContainer(far, 'two')
  const query = { host: 'far', force: true }
  const route = 'DELETE /containers/{id}'
  const asked = { ports: here.ports, as: 'operator' as const, route, path: { id }, query }
  expect((await call(remove, asked)).status).toBe(204)
  const { rows } = await here.ports.audit.list({ limit: 1 })
  expect(rows[0]).toMatchObject({
    action: 'containers.delete',
    outcome: 'succeeded',
    subject: { kind: 'containers', id },
    hosts: ['far'],
    values: { force: true },
  })
})

test('400: all hosts, or an unknown parameter', async () => {
  const { ask } = await withOne()
  expect((await ask('one', { host: 'all' })).status).toBe(400)
  expect((await ask('one', { volumes: true })).status).toBe(400)
  expect((await ask('../one')).status).toBe(400)
})

test('401 and 403: no credential, a viewer, or a host out of scope', async () => {
  const here = await withOne()
  await givenHost(here, 'far', { tags: ['lab'] })
  const asked = { ports: here.ports, path: { id: here.id } }
  expect((await call(remove, asked)).status).toBe(401)
  expect((await call(remove, { ...asked, as: 'viewer' })).status).toBe(403)
  const as = { username: 'ada', role: 'operator', scopeTags: ['lab'] }
  expect((await call(remove, { ...asked, as, query: { host: 'local' } })).status).toBe(403)
  expect(await here.listed()).toEqual([here.id])
})

test('409: the container is running', async () => {
  const { id, ask, listed } = await withOne({ started: true })
  expect((await ask('one')).status).toBe(409)
  expect(await listed()).toEqual([id])
})
