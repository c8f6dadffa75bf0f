import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { keycloak } from '../../local/harness/sso.ts'
import create from './create.ts'
import list from './list.ts'

const fresh = () => memoryPorts()
const attempt = (more: object = {}, ports = fresh(), as: object | 'admin' = 'admin') =>
  call(create, { ports, body: { ...keycloak, ...more }, as })

test('201: fills in the defaults and does not return the secret', async () => {
  const { json, text } = await attempt()
  expect(json).toEqual({
    id: 'keycloak',
    name: 'Keycloak',
    issuer_url: keycloak.issuer_url,
    client_id: 'container-stacks',
    scopes: ['openid', 'profile', 'email'],
    role_claim: null,
    role_map: {},
    default_role: 'viewer',
    callback_url: 'https://stacks.example.org/api/v1/auth/oidc/keycloak/callback',
  })
  expect(text).not.toContain('a secret')
})

test('201: derives the ID from the name, or generates one if the name has no letters', async () => {
  expect((await attempt({ name: ' Ünser Login / 2 ' })).json.id).toBe('unser-login-2')
  expect((await attempt({ name: '日本' })).json.id).toMatch(/^[0-9a-f-]{36}$/)
})

test('201: always requests the scope openid', async () => {
  expect((await attempt({ scopes: ['groups', 'groups'] })).json.scopes).toEqual([
    'openid',
    'groups',
  ])
})

test.each([
  'http://login.example.org',
  'ftp://login.example.org',
  'https://ann:secret@login.example.org',
  'https://login.example.org/?a=b',
  'https://login.example.org/#a',
  'https://login.example.org/.well-known/openid-configuration',
  'http://127.0.0.1.evil.example',
  'http://169.254.169.254/',
  'http://0.0.0.0:80/',
  'login.example.org',
  '',
])('400: %j is not an issuer', async (issuer_url) => {
  const { status, json } = await attempt({ issuer_url })
  expect([status, json.error]).toEqual([400, expect.stringContaining('body.issuer_url')])
})

test.each([
  'https://login.example.org',
  'https://login.example.org/realms/a',
  'http://localhost:8081',
  'http://127.0.0.1:8081/a',
  'http://[::1]:8081',
])('201: %s is an issuer', async (issuer_url) => {
  const { status, json } = await attempt({ issuer_url })
  expect([status, json.issuer_url]).toEqual([201, issuer_url])
})

test('400: admin as default role, an unknown role, or missing or unknown fields', async () => {
  const { json, status } = await attempt({ default_role: 'admin' })
  expect([status, json.error]).toEqual([400, expect.stringContaining('role_map')])
  const others = [
    { default_role: 'boss' },
    { role_map: { a: 'boss' } },
    { client_secret: '' },
    { client_id: undefined },
    { enabled: true },
    { scopes: ['a b'] },
    { name: 'a\u0000' },
  ]
  for (const more of others) {
    const refused = await attempt(more)
    const [field] = Object.keys(more)
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining(`${field}`)])
  }
})

test('403: an admin of some hosts cannot grant access to all', async () => {
  const ports = fresh()
  const limited = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  expect((await attempt({}, ports, limited)).status).toBe(403)
  const map = { role_map: { a: 'admin' }, default_role: null }
  expect((await attempt(map, ports, limited)).status).toBe(403)
  expect((await call(list, { ports, as: 'admin' })).json).toEqual([])
})

test('409: the name is taken, in any spelling', async () => {
  const ports = fresh()
  await attempt({}, ports)
  expect((await attempt({ name: 'KeyCloak!' }, ports)).status).toBe(409)
})
