import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
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

test('204: a role that nobody has', async () => {
  const { ports, away } = await withRole()
  expect((await away()).status).toBe(204)
  expect(await ports.roles.list()).toEqual([])
})

test('401 and 403: nobody, who manages no roles, and who may less than it', async () => {
  const { ports, away } = await withRole()
  expect((await call(remove, { ports, path: { name: 'setter' } })).status).toBe(401)
  expect((await away('setter', { username: 'olga', role: 'operator' })).status).toBe(403)
  await ports.roles.create({ id: 'manager', permissions: ['roles:manage'], createdAt: 0 })
  expect((await away('setter', { username: 'mona', role: 'manager' })).status).toBe(403)
  const limited = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await away('setter', limited)).status).toBe(403)
})

test('404: there is no such role', async () => {
  const { away } = await withRole()
  expect((await away('none')).status).toBe(404)
})

test('409: a built-in role, and one that somebody has', async () => {
  const { ports, away } = await withRole()
  expect((await away('viewer')).status).toBe(409)
  await accountOf(ports, { username: 'anna', role: 'setter' })
  expect(await away()).toMatchObject({
    status: 409,
    json: { error: 'the role setter is in use: users that have it: 1' },
  })
})

test('409: of a role that goes and one who gets it at once, one is refused', async () => {
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

test('409: an identity provider gives the role', async () => {
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

test('409: a process that was held up writes no more', async () => {
  const { ports, away } = await withRole()
  const { list } = ports.accounts
  ports.accounts.list = () => {
    ports.clock.advance(6000)
    return list()
  }
  expect((await away()).status).toBe(409)
  expect(await ports.roles.list()).toHaveLength(1)
})
