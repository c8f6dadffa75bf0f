import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import { ann, redirect, ssoWorld } from '../../../local/harness/sso.ts'
import createToken from '../../api-tokens/create.ts'
import { internalError } from '../../core/errors.ts'
import { noRole } from '../../core/sso/role.ts'
import me from '../../me/get.ts'
import createProvider from '../../oidc-providers/create.ts'
import removeProvider from '../../oidc-providers/remove.ts'
import callback from './callback.ts'

test('302: redirects with a code that replaces any code in the redirect URI', async () => {
  const { walk } = await ssoWorld()
  const { status, location, text } = await walk(ann, { redirect_uri: `${redirect}?a=1&code=x` })
  expect([status, text]).toEqual([302, ''])
  const url = new URL(present(location))
  expect(url.origin + url.pathname).toBe(redirect)
  expect(url.searchParams.get('a')).toBe('1')
  expect(url.searchParams.getAll('code')).toEqual([expect.stringMatching(/^csc_[\w-]{43}$/)])
})

test('302: creates the account once, with its role', async () => {
  const { ports, walk } = await ssoWorld()
  await walk(ann)
  await walk({ ...ann, preferred_username: 'ann-renamed', email: 'other@example.org' })
  const made = (await ports.accounts.list()).filter(({ identity }) => identity)
  expect(made).toHaveLength(1)
  expect(made[0]).toMatchObject({
    username: 'ann',
    email: 'ann@example.org',
    role: 'viewer',
    passwordHash: null,
    identity: { issuer: 'https://login.example.org/realms/main', subject: 's-ann' },
  })
})

test('302: falls back to the email address or the subject if the name is not usable', async () => {
  const { ports, walk } = await ssoWorld()
  await walk({ sub: 's-1', preferred_username: '<b>', email: 'one@example.org' })
  await walk({ sub: 's-2', preferred_username: ['a'], email: 'not an address' })
  await walk({ sub: 's-3', email: 'three@example.org', email_verified: false })
  const names = (await ports.accounts.list()).filter(({ identity }) => identity)
  expect(names.map(({ username, email }) => [username, email])).toEqual([
    ['one@example.org', 'one@example.org'],
    ['s-2', null],
    ['s-3', null],
  ])
})

test('302: keeps a role assigned by an admin if the provider maps no roles', async () => {
  const { ports, walk } = await ssoWorld()
  await walk(ann)
  const account = present(await ports.accounts.findByUsername('ann'))
  await ports.accounts.replace({ ...account, role: 'operator' })
  await walk(ann)
  expect((await ports.accounts.findByUsername('ann'))?.role).toBe('operator')
})

test('302: reads a nested role claim and ignores values that are not in the map', async () => {
  const map = { role_claim: 'realm.roles', role_map: { ops: 'operator', chief: 'admin' } }
  const { ports, walk } = await ssoWorld({ ...map, default_role: null })
  expect((await walk({ ...ann, realm: { roles: ['ops', 1, null] } })).status).toBe(302)
  expect((await ports.accounts.findByUsername('ann'))?.role).toBe('operator')
  const others = ['__proto__', 'constructor', 'toString', 'OPS', ' ops', '']
  expect((await walk({ sub: 's-2', realm: { roles: others } })).status).toBe(403)
  expect((await walk({ sub: 's-3', realm: 'ops' })).status).toBe(403)
  expect(
    (await walk({ sub: 's-4', 'realm.roles': ['ops'], preferred_username: 'dot' })).status,
  ).toBe(302)
})

test('403: a user whom the provider removed loses sessions and API tokens for good', async () => {
  const map = { role_claim: 'groups', role_map: { ops: 'operator', chiefs: 'admin' } }
  const { ports, walk } = await ssoWorld({ ...map, default_role: null })
  const sent = (...groups: string[]) => walk({ ...ann, groups })
  await sent('ops')
  const token = await signIn(ports, { username: 'ann' })
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  const use = async (one: string) => (await call(me, { ports, as: { token: one } })).status
  await sent('chiefs')
  expect([await use(token), await use(made.json.token)]).toEqual([200, 200])
  expect((await sent()).status).toBe(403)
  expect(await ports.apiTokens.list()).toEqual([])
  expect((await sent('ops')).status).toBe(302)
  expect([await use(token), await use(made.json.token)]).toEqual([401, 401])
})

test('302: revives no API token that an earlier version left to a removed user', async () => {
  const map = { role_claim: 'groups', role_map: { ops: 'operator' }, default_role: null }
  const { ports, walk } = await ssoWorld(map)
  await walk({ ...ann, groups: ['ops'] })
  const as = { username: 'ann' }
  const { token } = (await call(createToken, { ports, body: { name: 'ci' }, as })).json
  const account = present(await ports.accounts.findByUsername('ann'))
  await ports.accounts.replace({ ...account, role: noRole })
  expect((await walk({ ...ann, groups: ['ops'] })).status).toBe(302)
  expect((await call(me, { ports, as: { token } })).status).toBe(401)
})

const zitadel = 'urn:zitadel:iam:org:project:roles'

test.each<[what: string, claims: object, role: string | undefined]>([
  ['keys', { [zitadel]: { 'stack-ops': { 123: 'example.org' }, staff: { 1: 'x' } } }, 'operator'],
  ['a list', { [zitadel]: ['stack-ops'] }, 'operator'],
  ['a string', { [zitadel]: 'stack-ops' }, 'operator'],
  ['inner keys', { [zitadel]: { staff: { 'stack-ops': 'example.org' } } }, undefined],
  ['inner values', { [zitadel]: { staff: { 123: 'stack-ops' } } }, undefined],
  ['an empty object', { [zitadel]: {} }, undefined],
  ['a role of no organization', { [zitadel]: { 'stack-ops': {} } }, undefined],
  ['a role that is off', { [zitadel]: { 'stack-ops': false } }, undefined],
  ['a role that is null', { [zitadel]: { 'stack-ops': null } }, undefined],
  ['objects in a list', { [zitadel]: [{ 'stack-ops': { 123: 'x' } }] }, undefined],
  ['names of every object', { [zitadel]: { constructor: { 1: 'x' } } }, undefined],
])('roles as %s of a claim whose name is a URN', async (_, claims, role) => {
  const map = { role_claim: zitadel, role_map: { 'stack-ops': 'operator', 123: 'admin' } }
  const { ports, walk } = await ssoWorld({ ...map, default_role: null })
  expect((await walk({ ...ann, ...claims })).status).toBe(role ? 302 : 403)
  expect((await ports.accounts.findByUsername('ann'))?.role).toBe(role)
})

test('400: no state', async () => {
  const { answer } = await ssoWorld()
  expect((await answer({ code: 'x' })).status).toBe(400)
  expect((await answer({ state: '' })).status).toBe(400)
})

test('401: a state that is unknown, used, or of another provider', async () => {
  const { ports, answer, agreed } = await ssoWorld()
  const other = { name: 'Other', issuer_url: 'https://other.example.org', client_id: 'c' }
  const body = { ...other, client_secret: 's', default_role: 'viewer' }
  await call(createProvider, { ports, body, as: 'admin' })
  const query = await agreed(ann)
  const earlier = `css_${'a'.repeat(43)}`
  for (const state of ['css_other', earlier, `${query.state}A`, `${query.state}=`])
    expect((await answer({ ...query, state })).status).toBe(401)
  expect((await answer(query, 'other')).status).toBe(401)
  expect(await ports.accounts.findByUsername('ann')).toBeUndefined()
  expect((await answer(query)).status).toBe(302)
  expect((await answer(query)).status).toBe(401)
})

test('401: a second confirmation of the same sign-in', async () => {
  const { ports, begin, answer } = await ssoWorld()
  const location = present((await begin()).headers.location)
  const answers = [ann, { ...ann, sub: 's-eve', preferred_username: 'eve' }].map((person) =>
    ports.openId.approve(location, person),
  )
  const statuses = await Promise.all(answers.map(async (query) => (await answer(query)).status))
  expect(statuses.sort()).toEqual([302, 401])
})

test('401: a sign-in that was begun more than ten minutes ago, or by a clock that was ahead', async () => {
  const { ports, answer, agreed } = await ssoWorld()
  const over = await agreed(ann)
  ports.clock.advance(600_000)
  expect((await answer(over)).status).toBe(401)
  const now = ports.clock.now()
  ports.clock.set(now + 3_600_000)
  const ahead = await agreed(ann)
  ports.clock.set(now)
  expect((await answer(ahead)).status).toBe(401)
  ports.clock.set(now + 240_000)
  const little = await agreed(ann)
  ports.clock.set(now)
  expect((await answer(little)).status).toBe(302)
})

test('401: leaves no record of sign-ins that the provider did not confirm', async () => {
  const { ports, answer, agreed } = await ssoWorld()
  const { claim } = ports.signInSteps
  const claimed: number[] = []
  ports.signInSteps.claim = (hash, until) => {
    claimed.push(until)
    return claim(hash, until)
  }
  const query = await agreed(ann)
  expect(claimed).toEqual([])
  for (const [name, value] of [
    ['error', 'access_denied'],
    ['code', 'wrong'],
  ] as const) {
    const wrong = { state: present(query.state), [name]: value }
    expect((await answer(wrong)).status).toBe(401)
  }
  expect([claimed.length, ports.signInSteps.used.size]).toEqual([2, 0])
  expect((await answer(query)).status).toBe(302)
  expect(ports.signInSteps.used.size).toBe(1)
  expect(present(claimed[2])).toBeGreaterThan(ports.clock.now() + 600_000)
})

test('401: the provider refused the login; its description is not repeated', async () => {
  const { answer, agreed } = await ssoWorld()
  const { state } = await agreed(ann)
  const refused = {
    state: present(state),
    error: 'access_denied',
    error_description: 'secret words',
  }
  const { status, text } = await answer(refused)
  expect([status, text]).toEqual([401, expect.not.stringContaining('secret words')])
})

test('403: creates no account without a role, and rejects a disabled account', async () => {
  const { ports, walk } = await ssoWorld({ default_role: null })
  expect((await walk(ann)).status).toBe(403)
  expect(await ports.accounts.findByUsername('ann')).toBeUndefined()
  const other = await ssoWorld()
  await other.walk(ann)
  const account = present(await other.ports.accounts.findByUsername('ann'))
  await other.ports.accounts.replace({ ...account, disabled: true })
  expect((await other.walk(ann)).status).toBe(403)
})

test('404: the provider was deleted during the login', async () => {
  const { ports, path, answer, agreed } = await ssoWorld()
  const query = await agreed(ann)
  await call(removeProvider, { ports, path, as: 'admin' })
  expect((await answer(query)).status).toBe(404)
})

test('409: the name belongs to another account, in any spelling', async () => {
  const { ports, walk } = await ssoWorld()
  const admin = await accountOf(ports, 'admin')
  for (const name of ['admin', 'ADMIN', ' Ａｄｍｉｎ ']) {
    expect((await walk({ sub: 's-eve', preferred_username: name })).status).toBe(409)
  }
  expect(await ports.accounts.find(admin.id)).toEqual(admin)
})

test('500: the provider does not respond; `errors=redirect` reports this to the redirect URI', async () => {
  const { ports, answer, agreed } = await ssoWorld()
  const [query, told] = [await agreed(ann), await agreed(ann, { errors: 'redirect' })]
  ports.openId.failure = internalError('Keycloak does not respond like an identity provider')
  expect((await answer(query)).status).toBe(500)
  const { status, headers } = await answer(told)
  const url = new URL(present(headers.location))
  expect([status, url.searchParams.get('error'), url.searchParams.get('code')]).toEqual([
    302,
    'server_error',
    null,
  ])
})

test('302: ignores additional parameters from the provider', async () => {
  const { ports, path, agreed } = await ssoWorld()
  const query = { ...(await agreed(ann)), session_state: 'x', scope: 'openid', hd: 'example.org' }
  expect((await call(callback, { ports, path, query })).status).toBe(302)
})
