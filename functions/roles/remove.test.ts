import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import createProvider from '../oidc-providers/create.ts'
import createUser from '../users/create.ts'
import updateUser from '../users/update.ts'
import createRole from './create.ts'
import remove from './remove.ts'

async function withRole() {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'setter', permissions: ['settings:manage'], createdAt: 0 })
  const away = (name = 'setter', as: object | 'admin' = 'admin') =>
    call(remove, { ports, path: { name }, as })
  return { ports, away }
}

test('204: deletes an unused role', async () => {
  const { ports, away } = await withRole()
  expect((await away()).status).toBe(204)
  expect(await ports.roles.list()).toEqual([])
})

test('401 and 403: no credential, no permission, a role above the caller’s own, or an admin of some hosts', async () => {
  const { ports, away } = await withRole()
  expect((await call(remove, { ports, path: { name: 'setter' } })).status).toBe(401)
  expect((await away('setter', { username: 'olga', role: 'operator' })).status).toBe(403)
  await ports.roles.create({ id: 'manager', permissions: ['roles:manage'], createdAt: 0 })
  expect((await away('setter', { username: 'mona', role: 'manager' })).status).toBe(403)
  const limited = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await away('setter', limited)).status).toBe(403)
})

test('409: a built-in role, or a role in use', async () => {
  const { ports, away } = await withRole()
  expect((await away('viewer')).status).toBe(409)
  await accountOf(ports, { username: 'anna', role: 'setter' })
  expect(await away()).toMatchObject({
    status: 409,
    json: { error: 'the role setter is in use: users that have it: 1' },
  })
})

test('409: deleting a role and assigning it at the same time: one of the two fails', async () => {
  for (const made of [true, false]) {
    const { ports, away } = await withRole()
    const { id } = await accountOf(ports, { username: 'anna' })
    const body = { username: 'bert', password: 'long enough', role: 'setter' }
    const give = made
      ? call(createUser, { ports, as: 'admin', body })
      : call(updateUser, { ports, as: 'admin', path: { id }, body: { role: 'setter' } })
    const [given, gone] = await Promise.all([give, away()])
    const holders = (await ports.accounts.list()).filter(({ role }) => role === 'setter')
    expect(given.status < 300).toBe(holders.length === 1)
    expect(gone.status === 204).toBe(holders.length === 0)
  }
})

test('409: an identity provider assigns the role', async () => {
  const ports = memoryPorts()
  const body = { name: 'deployer', permissions: ['stacks:read'] }
  await call(createRole, { ports, body, as: 'admin' })
  const provider = { name: 'Login', issuer_url: 'https://login.example.org', client_id: 'c' }
  for (const given of [{ default_role: 'deployer' }, { role_map: { devs: 'deployer' } }]) {
    const added = { ...provider, client_secret: 's', ...given }
    await call(createProvider, { ports, body: added, as: 'admin' })
    const path = { name: 'deployer' }
    expect((await call(remove, { ports, path, as: 'admin' })).status).toBe(409)
    await ports.identityProviders.remove('login')
  }
})

test('409: stops a process whose lock expired before it writes', async () => {
  const { ports, away } = await withRole()
  const { list } = ports.accounts
  ports.accounts.list = () => {
    ports.clock.advance(6000)
    return list()
  }
  expect((await away()).status).toBe(409)
  expect(await ports.roles.list()).toHaveLength(1)
})
