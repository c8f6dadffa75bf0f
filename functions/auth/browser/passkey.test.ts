import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import {
  type Deviation,
  softwareAuthenticator,
} from '../../../adapters/testing/software-authenticator.ts'
import { pageHeaders } from '../../../local/harness/browser-session.ts'
import { call } from '../../../local/harness/call.ts'
import { givenPasskey, passkeyWorld } from '../../../local/harness/passkeys.ts'
import { challengeLifetime } from '../../core/access/passkey-challenge.ts'
import me from '../../me/get.ts'
import login from './passkey.ts'

/** Returns a world in which Anna has a passkey. */
async function world() {
  const anna = await passkeyWorld()
  const { device } = await anna.add()
  return { ...anna, device }
}

test('200: starts a session of the account, without a password', async () => {
  const { ports, anna, device, signInWith } = await world()
  const { status, json, headers } = await signInWith(device)
  expect([status, json.user]).toEqual([200, { id: anna.id, username: 'anna', role: 'operator' }])
  expect(json.browser_key).toMatch(/^csk_/)
  expect(headers['set-cookie']).toContain('HttpOnly; SameSite=Strict')
  const shown = await call(me, { ports, as: { token: json.access_token } })
  expect(shown.json).toMatchObject({ username: 'anna', credential: 'session' })
})

test('200: asks for no code of the second factor, as the passkey is one', async () => {
  const { device, signInWith, enable } = await world()
  await enable()
  expect((await signInWith(device)).status).toBe(200)
})

test('200: counts and records each use', async () => {
  const { ports, device, signInWith, passkeys } = await world()
  ports.clock.advance(1000)
  await signInWith(device, { counter: 7 })
  expect(await passkeys()).toMatchObject([{ counter: 7, lastUsedAt: ports.clock.now() }])
})

test('200: accepts authenticators that do not count', async () => {
  const { ports, challenge, sendSignIn } = await passkeyWorld()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  for (let times = 0; times < 2; times += 1) {
    const { status } = await sendSignIn(device.get(await challenge(), { counter: 0 }))
    expect(status).toBe(200)
  }
})

test('200: `remember_me` keeps the session', async () => {
  const { device, challenge, sendSignIn } = await world()
  const { headers } = await sendSignIn(device.get(await challenge()), { remember_me: true })
  expect(headers['set-cookie']).toContain('; Max-Age=')
})

test('200: a success resets the failures', async () => {
  const { device, signInWith, attempt } = await world()
  for (let tries = 0; tries < 4; tries += 1) await attempt({ password: 'a guess' })
  expect((await signInWith(device)).status).toBe(200)
  expect((await attempt({ password: 'a guess' })).status).toBe(401)
  expect((await attempt()).status).toBe(200)
})

test('400: not sent by a page of the service, or not as base64url', async () => {
  const { ports, device, challenge, sendSignIn } = await world()
  const passkey = device.get(await challenge())
  const { origin: _, ...headers } = pageHeaders()
  expect((await call(login, { ports, body: { passkey }, headers })).status).toBe(400)
  expect((await sendSignIn({ ...passkey, signature: 'a=b' })).status).toBe(400)
  expect((await sendSignIn({ ...passkey, user_handle: undefined })).status).toBe(400)
})

const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const refusal = 'the passkey is not known or not valid here'

test.each<[string, Deviation]>([
  ['of another origin', { origin: 'https://evil.example.org' }],
  ['of another port', { origin: 'https://stacks.example.org:8443' }],
  ['of another host', { rpId: 'example.org' }],
  ['in a frame of another site', { crossOrigin: true }],
  ['of another key', { key: other }],
  ['of an absent user', { isPresent: false }],
  ['of a user who was not verified', { isVerified: false }],
  ['that is a registration', { type: 'webauthn.create' }],
  ['of an unknown account', { userHandle: 'bm9ib2R5' }],
  ['of a handle that is no text', { userHandle: '_____w' }],
  ['whose counter did not grow', { counter: 1 }],
  ['whose counter is 0 again', { counter: 0 }],
])('401: one message for a signature %s', async (_, deviation) => {
  const { ports, anna, device, signInWith, passkeys } = await world()
  const before = await ports.sessions.listByAccount(anna.id)
  const { status, json } = await signInWith(device, deviation)
  expect([status, json]).toEqual([401, { error: refusal }])
  expect(await passkeys()).toMatchObject([{ counter: 1, lastUsedAt: null }])
  expect(await ports.sessions.listByAccount(anna.id)).toEqual(before)
})

test('401: the log says why, and the caller does not learn it', async () => {
  const { device, signInWith } = await world()
  const { detail, text } = await signInWith(device, { counter: 1 })
  expect(detail).toMatch(/counter/i)
  expect(text).not.toMatch(/counter/i)
})

test('401: an unknown passkey, a disabled account, and one of an identity provider', async () => {
  const { ports, device, signInWith, account } = await world()
  const stranger = softwareAuthenticator()
  stranger.belongTo(Buffer.from('no-such').toString('base64url'))
  const answers = [await signInWith(stranger)]
  await ports.accounts.replace({ ...(await account()), disabled: true })
  answers.push(await signInWith(device))
  const identity = { issuer: 'https://accounts.example.org', subject: '1' }
  await ports.accounts.replace({ ...(await account()), disabled: false, identity })
  answers.push(await signInWith(device))
  for (const { status, json } of answers) expect([status, json.error]).toEqual([401, refusal])
})

test('401: unknown accounts cost the same reads and the same verification', async () => {
  const { ports, device, signInWith } = await world()
  const reads: string[] = []
  for (const name of ['accounts', 'passkeys', 'attempts'] as const) {
    const port = ports[name] as unknown as Record<string, (...given: unknown[]) => unknown>
    for (const method of ['find', 'read', 'swap']) {
      const original = port[method]
      if (!original) continue
      port[method] = (...given) => {
        reads.push(`${name}.${method}`)
        return original(...given)
      }
    }
  }
  const costOf = async (deviation: Deviation) => {
    reads.length = 0
    expect((await signInWith(device, deviation)).status).toBe(401)
    return [...reads]
  }
  const known = await costOf({ key: other })
  expect(await costOf({ userHandle: 'bm9ib2R5', key: other })).toEqual(known)
  expect(known).toContain('passkeys.find')
})

test('401: a signature counts once, even in twenty simultaneous requests', async () => {
  const { ports, device, challenge, sendSignIn } = await world()
  await ports.settings.save({ 'auth.lockout_max_attempts': 100 })
  const passkey = device.get(await challenge(), { counter: 9 })
  const answers = await Promise.all(Array.from({ length: 20 }, () => sendSignIn(passkey)))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array(19).fill(401)])
})

test('401: a challenge counts once, also for authenticators that do not count', async () => {
  const { ports, challenge, sendSignIn } = await passkeyWorld()
  const { device } = await givenPasskey(ports, { username: 'bob' })
  const passkey = device.get(await challenge(), { counter: 0 })
  expect((await sendSignIn(passkey)).status).toBe(200)
  expect((await sendSignIn(passkey)).status).toBe(401)
})

test('401: a challenge that is expired, invented or of a registration is no attempt', async () => {
  const { ports, device, ask, challenge, sendSignIn, attempt } = await world()
  const asked = await challenge()
  const ofRegistration = (await ask()).json
  ports.clock.advance(challengeLifetime)
  for (let tries = 0; tries < 3; tries += 1) {
    for (const one of [asked, { ...asked, challenge: 'A'.repeat(72) }, ofRegistration]) {
      const { status, json } = await sendSignIn(device.get(one))
      expect([status, json.error]).toEqual([401, expect.stringContaining('start again')])
    }
  }
  expect((await attempt()).status).toBe(200)
})

test('401: the account was reset while the passkey was verified', async () => {
  const { ports, device, signInWith, account } = await world()
  const { claim } = ports.signInSteps
  ports.signInSteps.claim = async (...given) => {
    const passkeySetId = null
    ports.clock.advance(1000)
    const sessionsValidFrom = ports.clock.now()
    await ports.accounts.replace({ ...(await account()), passkeySetId, sessionsValidFrom })
    return claim(...given)
  }
  expect((await signInWith(device)).status).toBe(401)
})

test('409: the address of the service allows no passkeys', async () => {
  const { ports, device, challenge, sendSignIn } = await world()
  const passkey = device.get(await challenge())
  ports.site.baseUrl = 'https://192.0.2.1'
  expect((await sendSignIn(passkey)).status).toBe(409)
})

test('423: failures lock the account, and a locked account refuses its passkey', async () => {
  const { device, signInWith, attempt } = await world()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await signInWith(device, { key: other })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 423])
  expect([(await signInWith(device)).status, (await attempt()).status]).toEqual([423, 423])
})

test('423: an unknown account is locked like a known one', async () => {
  const { device, signInWith } = await world()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await signInWith(device, { userHandle: 'bm9ib2R5' })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 423])
})

test('the audit row names the account of a success and of a failure', async () => {
  const { ports, device, challenge } = await world()
  for (const deviation of [{}, { key: other }]) {
    const passkey = device.get(await challenge(), deviation)
    const route = 'POST /auth/browser/passkey'
    await call(login, { ports, route, body: { passkey }, headers: pageHeaders() })
  }
  await ports.audit.flush()
  const { rows } = await ports.audit.list({ action: 'auth.browser.passkey', limit: 2 })
  const outcomes = rows.map(({ status, username }) => [status, username])
  expect(outcomes.sort()).toEqual([
    [200, 'anna'],
    [401, 'anna'],
  ])
  expect(present(rows[0]).values).toEqual({})
})
