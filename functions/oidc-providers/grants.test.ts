import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import create from './create.ts'

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
