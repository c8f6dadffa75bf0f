import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import me from '../me/get.ts'
import create from './create.ts'

const body = { name: 'deployer', permissions: ['stacks:deploy', 'stacks:read', 'stacks:deploy'] }

/** Sets up a user whose role manages roles and reads stacks. */
async function withManager(scopeTags: string[] = []) {
  const ports = memoryPorts()
  const permissions = ['roles:manage', 'users:manage', 'stacks:read'] as const
  await ports.roles.create({ id: 'manager', permissions: [...permissions], createdAt: 0 })
  const as = { username: 'mona', role: 'manager', scopeTags }
  const make = (given: object) => call(create, { ports, as, body: { name: 'new', ...given } })
  return { ports, as, make }
}

test('201: a role grants exactly its permissions, sorted and without duplicates', async () => {
  const ports = memoryPorts()
  const { status, json } = await call(create, { ports, as: 'admin', body })
  expect([status, json]).toEqual([
    201,
    { name: 'deployer', builtin: false, permissions: ['stacks:read', 'stacks:deploy'] },
  ])
  const { json: shown } = await call(me, { ports, as: { username: 'dora', role: 'deployer' } })
  expect([shown.role, shown.permissions]).toEqual(['deployer', ['stacks:read', 'stacks:deploy']])
})

test('400: an unknown permission or an invalid name', async () => {
  const wrong = [
    { permissions: ['stacks:explode'] },
    { permissions: ['*'] },
    { permissions: 'stacks:read' },
    { permissions: undefined },
    { name: 'Deployer' },
    { name: '' },
    { name: 'a/b' },
    { name: '__proto__' },
    { builtin: true },
    { admin: true },
  ]
  for (const change of wrong) {
    const answer = await call(create, { as: 'admin', body: { ...body, ...change } })
    expect(answer.status, JSON.stringify(change)).toBe(400)
  }
})

test('403: cannot grant permissions that the caller does not have', async () => {
  const { make } = await withManager()
  expect((await make({ permissions: ['stacks:read', 'users:manage'] })).status).toBe(201)
  const answer = await make({ name: 'up', permissions: ['stacks:read', 'settings:manage'] })
  expect(answer).toMatchObject({
    status: 403,
    json: { error: expect.stringContaining('settings') },
  })
})

test('403: an admin of some hosts cannot create roles, which apply to all hosts', async () => {
  const { make } = await withManager(['lab'])
  expect((await make({ permissions: ['stacks:read'] })).status).toBe(403)
})

test('409: the name is taken, also by a simultaneous request', async () => {
  const ports = memoryPorts()
  const make = (name: string) =>
    call(create, { ports, as: 'admin', body: { ...body, name } }).then(({ status }) => status)
  expect((await Promise.all([make('one'), make('one')])).sort()).toEqual([201, 409])
  for (const name of ['admin', 'operator', 'viewer', 'one']) expect(await make(name)).toBe(409)
})

test('409: there are two hundred roles', async () => {
  const ports = memoryPorts()
  for (let index = 0; index < 197; index += 1) {
    await ports.roles.create({ id: `role-${index}`, permissions: [], createdAt: 0 })
  }
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(409)
})

test('409: stops a process whose lock expired before it writes', async () => {
  const ports = memoryPorts()
  const { list } = ports.roles
  ports.roles.list = () => {
    ports.clock.advance(6000)
    return list()
  }
  expect((await call(create, { ports, as: 'admin', body })).status).toBe(409)
  expect(await ports.roles.find('deployer')).toBeUndefined()
})
