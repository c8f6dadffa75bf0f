import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { present } from '../../../adapters/testing/present.ts'
import { pageHeaders, password, signedInPage } from '../../../local/harness/browser-session.ts'
import { call } from '../../../local/harness/call.ts'
import { passkeyWorld } from '../../../local/harness/passkeys.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import me from '../../me/get.ts'
import listSessions from '../../me/sessions/list.ts'
import plainLogin from '../login.ts'
import login from './login.ts'

async function world(given: object = {}) {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash(password)
  await accountOf(ports, { username: 'anna', passwordHash, ...given })
  const attempt = (more: object = {}, headers: Record<string, string> = pageHeaders()) =>
    call(login, { ports, body: { username: 'anna', password, ...more }, headers })
  return { ports, attempt }
}

test('200: returns an access token, the key, and the cookie of its page', async () => {
  const ports = memoryPorts()
  const { anna, answer, cookie, key } = await signedInPage(ports)
  expect(answer.status).toBe(200)
  expect(answer.json).toEqual({
    access_token: expect.any(String),
    expires_in: 900,
    user: { id: anna.id, username: 'anna', role: 'viewer' },
    browser_key: expect.stringMatching(/^csk_[A-Za-z0-9_-]{43}$/),
  })
  expect(answer.headers['set-cookie']).toMatch(
    /^cs_8080_0a1b2c3d=csb_[0-9a-f-]{36}\.[A-Za-z0-9_-]{43}; Path=\/api\/v1\/auth\/browser; HttpOnly; SameSite=Strict$/,
  )
  const shown = await call(me, { ports, as: { token: answer.json.access_token } })
  expect(shown.json.username).toBe('anna')
  const [session] = await ports.sessions.listByAccount(anna.id)
  for (const half of [cookie.split('=')[1], key]) {
    expect(JSON.stringify(session)).not.toContain(half)
  }
})

test.each([
  ['https://stacks.example.org', '__Secure-cs_443_0a1b2c3d', true],
  ['https://stacks.example.org:8443', '__Secure-cs_8443_0a1b2c3d', true],
  ['http://nas', 'cs_80_0a1b2c3d', false],
  ['http://[fd00::1]:9000', 'cs_9000_0a1b2c3d', false],
])('200: a page of %s gets the cookie %s', async (origin, name, secure) => {
  const { answer } = await signedInPage(memoryPorts(), { origin })
  expect(answer.headers['set-cookie']?.split('=')[0]).toBe(name)
  expect(/; Secure(;|$)/.test(answer.headers['set-cookie'] ?? '')).toBe(secure)
})

test('200: the cookie outlives the browser only with `remember_me`', async () => {
  const ports = memoryPorts()
  const { answer, anna } = await signedInPage(ports, { remember_me: true })
  expect(answer.headers['set-cookie']).toContain(`; Max-Age=${14 * 86_400}`)
  const [session] = await ports.sessions.listByAccount(anna.id)
  expect(present(session).expiresAt - ports.clock.now()).toBe(14 * 86_400_000)
})

test('200: the session is in the list of sessions', async () => {
  const ports = memoryPorts()
  const { answer } = await signedInPage(ports)
  const { json } = await call(listSessions, { ports, as: { token: answer.json.access_token } })
  expect(json).toMatchObject([{ current: true, ip: '127.0.0.1', user_agent: 'test' }])
})

test('200: accepts what a browser says of a request of its own page', async () => {
  const { attempt } = await world()
  const headers = { ...pageHeaders(), 'sec-fetch-site': 'same-origin' }
  expect((await attempt({}, headers)).status).toBe(200)
})

const without = (name: string) => {
  const { [name]: _, ...rest } = pageHeaders() as Record<string, string>
  return rest
}

test.each([
  ['no Origin', without('origin'), 'Origin'],
  ['an opaque origin', { ...pageHeaders(), origin: 'null' }, 'Origin'],
  ['an origin that is no page', { ...pageHeaders(), origin: 'file:///etc' }, 'Origin'],
  ['an Origin with a path', { ...pageHeaders(), origin: 'http://nas:8080/a' }, 'Origin'],
  ['no X-Requested-With', without('x-requested-with'), 'X-Requested-With'],
  [
    'another X-Requested-With',
    { ...pageHeaders(), 'x-requested-with': 'XMLHttpRequest' },
    'X-Requested-With',
  ],
  ['a form', { ...pageHeaders(), 'content-type': 'text/plain' }, 'Content-Type'],
  ['a page on another port', { ...pageHeaders(), 'sec-fetch-site': 'same-site' }, 'Sec-Fetch-Site'],
])('400: %s', async (_, headers, named) => {
  const { ports, attempt } = await world()
  const answer = await attempt({}, headers)
  expect(answer).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining(named) },
    headers: expect.not.objectContaining({ 'set-cookie': expect.anything() }),
  })
  const [account] = await ports.accounts.list()
  expect(await ports.sessions.listByAccount(present(account).id)).toEqual([])
})

test('401: a wrong password, or a disabled account', async () => {
  const { attempt } = await world()
  expect((await attempt({ password: 'wrong password' })).status).toBe(401)
  expect((await (await world({ disabled: true })).attempt()).status).toBe(401)
})

test('401: asks for the code of a second factor', async () => {
  const { attempt } = await world({ mfaEnabled: true, secondFactorId: 'f1' })
  const answer = await attempt()
  expect(answer).toMatchObject({ status: 401, json: { error: 'TOTP code required' } })
  expect(answer.headers['www-authenticate']).toBe('TOTP')
  expect((await attempt({ totp_code: '123456' })).status).toBe(401)
})

test('200: a passkey takes the place of a code', async () => {
  const { ports, add, enable, challenge, password: given } = await passkeyWorld()
  const { device } = await add()
  await enable()
  const passkey = device.get(await challenge())
  const body = { username: 'anna', password: given, passkey }
  expect((await call(login, { ports, body, headers: pageHeaders() })).status).toBe(200)
  expect((await call(login, { ports, body, headers: pageHeaders() })).status).toBe(401)
})

test('409: a passkey, where the address of the service allows none', async () => {
  const { ports, add, challenge, password: given } = await passkeyWorld()
  const passkey = (await add()).device.get(await challenge())
  ports.site.baseUrl = null
  const body = { username: 'anna', password: given, passkey }
  expect((await call(login, { ports, body, headers: pageHeaders() })).status).toBe(409)
})

test('423: failures here and at the other login count together', async () => {
  const { ports, attempt } = await world()
  const wrong = { username: 'anna', password: 'wrong password' }
  for (let tries = 0; tries < 2; tries += 1) await call(plainLogin, { ports, body: wrong })
  for (let tries = 0; tries < 3; tries += 1) await attempt(wrong)
  const answer = await attempt()
  expect(answer.status).toBe(423)
  expect(answer.headers['retry-after']).toBe('900')
})
