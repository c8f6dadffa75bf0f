import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import me from '../me/get.ts'
import update from './update.ts'

const body = { permissions: ['stacks:read', 'stacks:deploy'] }

async function withRoles() {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'reader', permissions: ['stacks:read'], createdAt: 0 })
  await ports.roles.create({ id: 'setter', permissions: ['settings:manage'], createdAt: 0 })
  const own = ['roles:manage', 'stacks:read', 'stacks:deploy'] as const
  await ports.roles.create({ id: 'manager', permissions: [...own], createdAt: 0 })
  const change = (name: string, given: object = body, as: object | 'admin' = 'admin') =>
    call(update, { ports, path: { name }, body: given, as })
  return { ports, change, mona: { username: 'mona', role: 'manager' } }
}

test('200: users have the new permissions with their next request', async () => {
  const { ports, change } = await withRoles()
  const as = { username: 'rita', role: 'reader' }
  const permissions = async () => (await call(me, { ports, as })).json.permissions
  expect(await permissions()).toEqual(['stacks:read'])
  expect((await change('reader')).json).toEqual({ name: 'reader', builtin: false, ...body })
  expect(await permissions()).toEqual(['stacks:read', 'stacks:deploy'])
  expect((await change('reader', { permissions: [] })).status).toBe(200)
  expect(await permissions()).toEqual([])
})

test('200: accepts its own output', async () => {
  const { change } = await withRoles()
  const read = { name: 'reader', builtin: false, ...body }
  const { status, json } = await change('reader', read)
  expect([status, json]).toEqual([200, read])
})

test('400: a changed name, an unknown permission, or an empty body', async () => {
  const { change } = await withRoles()
  for (const given of [{ ...body, name: 'other' }, { permissions: ['root:all'] }, {}]) {
    expect((await change('reader', given)).status).toBe(400)
  }
})

test('403: cannot change a role to or from more permissions than the caller has', async () => {
  const { change, mona } = await withRoles()
  expect((await change('reader', body, mona)).status).toBe(200)
  expect((await change('reader', { permissions: ['users:manage'] }, mona)).status).toBe(403)
  expect((await change('manager', { permissions: ['users:manage'] }, mona)).status).toBe(403)
  expect((await change('setter', { permissions: [] }, mona)).status).toBe(403)
  const limited = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await change('reader', body, limited)).status).toBe(403)
})

test('409: a built-in role, or a role that changes constantly', async () => {
  const { ports, change } = await withRoles()
  for (const name of ['admin', 'operator', 'viewer']) expect((await change(name)).status).toBe(409)
  ports.roles.replace = async () => undefined
  expect((await change('reader')).status).toBe(409)
})
