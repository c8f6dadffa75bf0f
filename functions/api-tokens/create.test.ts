import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { present } from '../../local/harness/present.ts'
import { isApiToken } from '../core/access/api-token.ts'
import me from '../me/get.ts'
import create from './create.ts'

const day = 86_400_000

test('201: returns a working token once and stores only its hash', async () => {
  const ports = memoryPorts()
  const { status, json } = await call(create, { ports, body: { name: 'ci' }, as: 'operator' })
  expect(status).toBe(201)
  expect(json).toMatchObject({ name: 'ci', role: 'operator', scope_tags: [], expires_at: null })
  expect(isApiToken(json.token)).toBe(true)
  expect(json.token.startsWith(json.prefix)).toBe(true)
  expect(JSON.stringify(await ports.apiTokens.find(json.id))).not.toContain(json.token)
  expect((await call(me, { ports, as: { token: json.token } })).json.role).toBe('operator')
})

test('201: a token expires after some days or at a given time', async () => {
  const ports = memoryPorts()
  const at = new Date(ports.clock.now() + day).toISOString()
  for (const expiry of [{ expires_in_days: 1 }, { expires_at: at }]) {
    const body = { name: 'ci', ...expiry }
    const { json } = await call(create, { ports, body, as: 'viewer' })
    expect(json.expires_at).toBe(new Date(ports.clock.now() + day).toISOString())
    const as = { token: json.token }
    expect((await call(me, { ports, as })).status).toBe(200)
    ports.clock.advance(day - 1)
    expect((await call(me, { ports, as })).status).toBe(200)
    ports.clock.advance(1)
    expect((await call(me, { ports, as })).status).toBe(401)
    ports.clock.set(Date.parse(at) - day)
  }
})

test('201: a token never exceeds the current scope of its user', async () => {
  const ports = memoryPorts()
  const as = { username: 'anna', scopeTags: ['lab', 'office'] }
  const body = { name: 'ci', scope_tags: ['lab'] }
  const { json } = await call(create, { ports, body, as })
  expect(json.scope_tags).toEqual(['lab'])
  const anna = await ports.accounts.findByUsername('anna')
  await ports.accounts.replace({ ...present(anna), scopeTags: ['office'] })
  const reach = (await call(me, { ports, as: { token: json.token } })).json.scope_tags
  expect(reach).not.toContain('lab')
  expect(reach).not.toContain('office')
  expect(reach).not.toEqual([])
})

test('400: requires a valid name and at most one expiry, in the future', async () => {
  const future = '2030-01-01T00:00:00Z'
  const wrong = [
    {},
    { name: ' ' },
    { name: 'ci\u001b[31m' },
    { name: 'ci', expires_at: future, expires_in_days: 1 },
    { name: 'ci', expires_at: '2020-01-01T00:00:00Z' },
    { name: 'ci', expires_at: 'tomorrow' },
    { name: 'ci', expires_in_days: 0 },
    { name: 'ci', role: 'admin' },
    { name: 'ci', scope_tags: ['Lab'] },
  ]
  for (const body of wrong) {
    expect((await call(create, { body, as: 'admin' })).status).toBe(400)
  }
})

test('403: an API token cannot create tokens', async () => {
  const ports = memoryPorts()
  const { token } = (await call(create, { ports, body: { name: 'ci' }, as: 'admin' })).json
  const answer = await call(create, { ports, body: { name: 'more' }, as: { token } })
  expect(answer.status).toBe(403)
})

test('403: rejects tags outside the scope of the caller', async () => {
  const as = { username: 'anna', scopeTags: ['lab'] }
  const body = { name: 'ci', scope_tags: ['lab', 'office'] }
  expect((await call(create, { body, as })).status).toBe(403)
})
