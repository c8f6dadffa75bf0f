import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { isApiToken, makeApiToken } from '../core/access/api-token.ts'
import type { Account } from '../core/records/account.ts'
import type { Permission } from '../core/records/permissions.ts'
import me from '../me/get.ts'
import listUsers from '../users/list.ts'
import create from './create.ts'
import list from './list.ts'

const day = 86_400_000

/** Returns a viewer of some hosts with a token, and changes of the account. */
async function promotable() {
  const ports = memoryPorts()
  await ports.roles.create({ id: 'reader', permissions: ['stacks:read'], createdAt: 0 })
  const as = { username: 'anna', role: 'viewer', scopeTags: ['lab'] }
  const { token } = (await call(create, { ports, body: { name: 'ci' }, as })).json
  const become = async (change: Partial<Account>) => {
    const account = present(await ports.accounts.findByUsername('anna'))
    await ports.accounts.replace({ ...account, ...change })
  }
  const permissions = async (given: string) =>
    (await call(me, { ports, as: { token: given } })).json.permissions
  return { ports, token, become, permissions }
}

test('201: returns a working token once and stores only its hash', async () => {
  const ports = memoryPorts()
  const { status, json } = await call(create, { ports, body: { name: 'ci' }, as: 'operator' })
  expect(status).toBe(201)
  const shown = { role: 'operator', max_role: 'operator', scope_tags: [], expires_at: null }
  expect(json).toMatchObject({ name: 'ci', ...shown })
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

test('201: a token gains no permissions when its user gets a better role', async () => {
  const { ports, token, become, permissions } = await promotable()
  const before = await permissions(token)
  await become({ role: 'admin' })
  expect(await permissions(token)).toEqual(before)
  const refused = await call(listUsers, { ports, as: { token } })
  expect([refused.status, refused.json.error]).toEqual([403, expect.stringContaining('API token')])
  await become({ role: 'reader' })
  expect(await permissions(token)).toEqual(['stacks:read'])
  const listed = await call(list, { ports, as: { username: 'anna' } })
  expect(listed.json).toMatchObject([{ role: 'reader', max_role: 'viewer' }])
})

test('201: a token gains no permissions when the custom role of its user does', async () => {
  const { ports, become, permissions } = await promotable()
  await become({ role: 'reader' })
  const { token } = (await call(create, { ports, body: { name: 'ci' }, as: { username: 'anna' } }))
    .json
  const allow = async (given: Permission[]) => {
    const role = present(await ports.roles.find('reader'))
    await ports.roles.replace({ ...role, permissions: given })
  }
  await allow(['stacks:read', 'users:manage'])
  expect(await permissions(token)).toEqual(['stacks:read'])
  await allow([])
  expect(await permissions(token)).toEqual([])
})

test('201: a token does not reach hosts that its user gained', async () => {
  const { ports, token, become } = await promotable()
  const scope = async () => (await call(me, { ports, as: { token } })).json.scope_tags
  for (const scopeTags of [['lab', 'office'], []]) {
    await become({ scopeTags })
    expect(await scope()).toEqual(['lab'])
  }
  await become({ scopeTags: ['office'] })
  expect(await scope()).toEqual([''])
})

test('a token from before rights were recorded gains none after its first use', async () => {
  const { ports, become, permissions } = await promotable()
  const { id: accountId } = present(await ports.accounts.findByUsername('anna'))
  const [old, unused] = [makeApiToken(randomBytes(64)), makeApiToken(randomBytes(64))]
  const times = { createdAt: 0, expiresAt: null, lastUsedAt: null }
  for (const token of [old, unused]) {
    const hash = createHash('sha256').update(token).digest('hex')
    const about = { id: hash, accountId, name: 'old', prefix: 'cst_', hash, scopeTags: [] }
    await ports.apiTokens.create({ ...about, ...times })
  }
  const before = await permissions(old)
  await become({ role: 'admin', scopeTags: [] })
  expect(await permissions(old)).toEqual(before)
  expect((await call(me, { ports, as: { token: old } })).json.scope_tags).toEqual(['lab'])
  const { json } = await call(list, { ports, as: { username: 'anna' } })
  const roles = json.map(({ max_role }: { max_role: string | null }) => max_role)
  expect(new Set(roles)).toEqual(new Set(['viewer', null]))
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

test('409: tokens created at the same time stay within the limit', async () => {
  const ports = memoryPorts()
  const make = () => call(create, { ports, as: 'operator', body: { name: 'ci' } })
  for (let index = 0; index < 98; index += 1) await make()
  const answers = await Promise.all(Array.from({ length: 6 }, make))
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ headers }) => headers['x-error-reason'] === 'limit')
  expect([made.length, refused.length]).toEqual([2, 4])
  expect((await call(list, { ports, as: 'operator' })).json).toHaveLength(100)
})

test('409: an account has at most 100 valid tokens', async () => {
  const ports = memoryPorts()
  const make = async (body: object, as: 'operator' | 'viewer' = 'operator') =>
    call(create, { ports, as, body: { name: 'ci', ...body } })
  for (let index = 0; index < 99; index += 1) await make({})
  const last = await make({})
  const { status, json, headers } = await make({})
  expect([status, headers['x-error-reason']]).toEqual([409, 'limit'])
  expect(json.error).toBe(
    'you have 100 API tokens, and an account may have 100: revoke one that is not used',
  )
  expect((await make({}, 'viewer')).status).toBe(201)
  const token = present(await ports.apiTokens.find(last.json.id))
  await ports.apiTokens.remove(token.id)
  // Tokens that have expired do not count.
  const expired = { ...token, id: 'expired', hash: 'expired', expiresAt: ports.clock.now() }
  await ports.apiTokens.create(expired)
  expect((await make({})).status).toBe(201)
  expect((await make({})).status).toBe(409)
})
