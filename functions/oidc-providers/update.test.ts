import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { ssoWorld } from '../../local/harness/sso.ts'
import update from './update.ts'

async function world() {
  const { ports } = await ssoWorld()
  const change = (body: object, as: object | 'admin' = 'admin', id = 'keycloak') =>
    call(update, { ports, path: { id }, body, as })
  const kept = async () => present(await ports.identityProviders.find('keycloak'))
  return { ports, change, kept }
}

test('200: keeps omitted fields, including the secret', async () => {
  const { change, kept } = await world()
  const { revision: _, ...before } = await kept()
  const { json, text } = await change({ name: 'Login', default_role: null })
  expect(json).toMatchObject({ id: 'keycloak', name: 'Login', default_role: null })
  expect(text).not.toContain('secret')
  expect(await kept()).toMatchObject({ ...before, name: 'Login', defaultRole: null })
})

test('200: accepts another issuer together with its secret', async () => {
  const { change, kept } = await world()
  const next = { issuer_url: 'https://new.example.org', client_secret: 'new' }
  expect((await change(next)).status).toBe(200)
  expect(await kept()).toMatchObject({ issuerUrl: next.issuer_url, clientSecret: 'new' })
})

test('400: another issuer requires its secret', async () => {
  const { change, kept } = await world()
  const before = await kept()
  expect((await change({ issuer_url: 'https://evil.example' })).status).toBe(400)
  expect(await kept()).toEqual(before)
})

test('400: admin as default role', async () => {
  const { change } = await world()
  expect((await change({ default_role: 'admin' })).status).toBe(400)
})

test('401 and 403: no credential, no permission, or more rights than the caller has', async () => {
  const { ports, change } = await world()
  const path = { id: 'keycloak' }
  expect((await call(update, { ports, path, body: {} })).status).toBe(401)
  expect((await change({}, { role: 'operator' })).status).toBe(403)
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await change({ role_claim: 'a' }, limited)).status).toBe(403)
})

test('409: the provider was changed at the same time', async () => {
  const { ports, change } = await world()
  const { find } = ports.identityProviders
  ports.identityProviders.find = async (id) => {
    const found = await find(id)
    await ports.identityProviders.replace(present(found))
    return found
  }
  expect((await change({ name: 'Login' })).status).toBe(409)
})
