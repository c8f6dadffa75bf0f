import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import create from './create.ts'
import remove from './remove.ts'
import update from './update.ts'

const provider = {
  name: 'Keycloak',
  issuer_url: 'https://login.example.org',
  client_id: 'container-stacks',
  client_secret: 'hidden',
}

test('403: cannot grant permissions that the caller does not have', async () => {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'setter', permissions: ['settings:manage'], createdAt: 0 })
  await ports.roles.create({ id: 'empty', permissions: [], createdAt: 0 })
  const as = { username: 'sara', role: 'setter' }
  const attempt = async (more: object) =>
    (await call(create, { ports, as, body: { ...provider, ...more } })).status
  expect(await attempt({ default_role: 'operator' })).toBe(403)
  expect(await attempt({ role_claim: 'groups', role_map: { staff: 'viewer' } })).toBe(403)
  expect(await attempt({ default_role: 'empty' })).toBe(201)
})

test('403: an admin of some hosts cannot grant access to all', async () => {
  const as = { username: 'lars', role: 'admin', scopeTags: ['lab'] }
  expect((await call(create, { as, body: provider })).status).toBe(403)
})

test('403: cannot decide who signs in as a user with more rights', async () => {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'setter', permissions: ['settings:manage'], createdAt: 0 })
  const as = { username: 'sara', role: 'setter' }
  const issuer = 'https://login.example.org/'
  const ada = { username: 'ada', role: 'admin', identity: { issuer, subject: '1' } }
  await accountOf(ports, ada)
  const mine = { ...provider, name: 'Mine' }
  const refused = await call(create, { ports, as, body: mine })
  expect([refused.status, refused.json.error]).toEqual([
    403,
    expect.stringContaining('user ada, who signs in with https://login.example.org'),
  ])
  const { json } = await call(create, { ports, as: 'admin', body: provider })
  const path = { id: json.id }
  for (const body of [{ client_id: 'mine' }, { issuer_url: 'https://a.example' }]) {
    expect((await call(update, { ports, as, path, body })).status).toBe(403)
  }
  expect((await call(remove, { ports, as, path })).status).toBe(403)
  const elsewhere = { ...mine, issuer_url: 'https://other.example' }
  expect((await call(create, { ports, as, body: elsewhere })).status).toBe(201)
  const moved = { issuer_url: 'https://login.example.org', client_secret: 'x' }
  const request = { ports, as, path: { id: 'mine' }, body: moved }
  expect((await call(update, request)).status).toBe(403)
})
