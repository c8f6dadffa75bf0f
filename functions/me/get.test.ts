import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import createToken from '../api-tokens/create.ts'
import me from './get.ts'

test('200: returns the account of a session', async () => {
  const as = { username: 'anna', role: 'viewer', scopeTags: ['lab'], email: 'anna@example.org' }
  const { json } = await call(me, { as })
  expect(json).toMatchObject({
    username: 'anna',
    email: 'anna@example.org',
    role: 'viewer',
    scope_tags: ['lab'],
    mfa_enabled: false,
    credential: 'session',
  })
  expect(json.permissions).toContain('stacks:read')
  expect(json.permissions).not.toContain('stacks:deploy')
})

test('200: returns the account of an API token, with the scope of the token', async () => {
  const ports = memoryPorts()
  const as = { username: 'anna', scopeTags: ['lab', 'office'] }
  const body = { name: 'ci', scope_tags: ['lab'] }
  const { token } = (await call(createToken, { body, ports, as })).json
  const { json } = await call(me, { ports, as: { token } })
  expect(json).toMatchObject({ username: 'anna', scope_tags: ['lab'], credential: 'api_token' })
})

test('200: returns the current role and scope, not those of the token', async () => {
  const ports = memoryPorts()
  const { token } = (await call(createToken, { body: { name: 'ci' }, ports, as: 'admin' })).json
  const account = await accountOf(ports, 'admin')
  await ports.accounts.replace({ ...account, role: 'viewer', revision: revisionOf(account) })
  const { json } = await call(me, { ports, as: { token } })
  expect(json.role).toBe('viewer')
  expect(json.permissions).not.toContain('users:manage')
})

test('401: no credential, or an invalid one', async () => {
  const credentials = [
    undefined,
    'Bearer',
    'Bearer ',
    'Basic YW5uYTpwYXNzd29yZA==',
    'Bearer null',
    'Bearer cst_000000000000000000000000000000000000000000',
    'Bearer a.b.c',
    `Bearer ${'a'.repeat(5000)}`,
  ]
  for (const authorization of credentials) {
    const headers: Record<string, string> = authorization ? { authorization } : {}
    const answer = await call(me, { headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  }
})

const revisionOf = (account: object) => (account as { revision: number }).revision
