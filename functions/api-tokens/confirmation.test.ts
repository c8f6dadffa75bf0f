import { expect, test } from 'vitest'
import { apiToken } from '../../adapters/testing/contract/samples.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { annaWorld } from '../../local/harness/second-factor.ts'
import { ann, ssoWorld } from '../../local/harness/sso.ts'
import login from '../auth/login.ts'
import refresh from '../auth/refresh.ts'
import create from './create.ts'

const minute = 60_000

type World = Pick<Awaited<ReturnType<typeof annaWorld>>, 'ports'>

/** Advances the clock in steps in which the session stays alive. Returns its current tokens. */
async function refreshedAfter(minutes: number, refresh_token: string, { ports }: World) {
  let pair = { access_token: '', refresh_token }
  for (let left = minutes; left > 0; left -= 10) {
    ports.clock.advance(Math.min(left, 10) * minute)
    pair = (await call(refresh, { ports, body: { refresh_token: pair.refresh_token } })).json
  }
  return pair
}

/** Returns requests of a session that Anna began some minutes ago, with or without a code. */
async function signedIn({ minutes, isStrong = false }: { minutes: number; isStrong?: boolean }) {
  const world = await annaWorld()
  const factor = isStrong ? await world.enable() : undefined
  const begun = (await world.attempt(factor && { totp_code: factor.code() })).json
  const pair = await refreshedAfter(minutes, begun.refresh_token, world)
  const ask = (more: object = {}) => {
    const body = { name: 'ci', ...more }
    return call(create, { ports: world.ports, body, as: { token: pair.access_token } })
  }
  return { ...world, factor, pair, ask }
}

test('201: asks for nothing until fifteen minutes after the sign-in', async () => {
  const { ask } = await signedIn({ minutes: 15 })
  expect((await ask()).status).toBe(201)
})

test('403: asks for the password later, and refreshing the session does not change that', async () => {
  const { ports, anna, ask, password } = await signedIn({ minutes: 16 })
  const { status, headers, json } = await ask()
  expect([status, headers['x-error-reason']]).toEqual([403, 'confirmation-required'])
  expect(json.error).toContain('send password, or sign in again')
  expect((await ask({ totp_code: '123456' })).status).toBe(403)
  expect(await ports.apiTokens.list(anna.id)).toEqual([])
  expect((await ask({ password })).status).toBe(201)
})

test('403: a new session asks for nothing, and does not help the older one', async () => {
  const { ports, password, ask } = await signedIn({ minutes: 16 })
  const body = { username: 'anna', password }
  const as = { token: (await call(login, { ports, body })).json.access_token }
  expect((await call(create, { ports, body: { name: 'ci' }, as })).status).toBe(201)
  expect((await ask()).status).toBe(403)
})

test('403: with a second factor the password is not enough', async () => {
  const { password, ask } = await signedIn({ minutes: 16, isStrong: true })
  for (const more of [{}, { password }]) {
    const { status, headers, json } = await ask(more)
    expect([status, headers['x-error-reason']]).toEqual([403, 'confirmation-required'])
    expect(json.error).toContain('send totp_code')
  }
})

test('201: with a second factor a code is enough, once, or a recovery code', async () => {
  const { factor, ask } = await signedIn({ minutes: 16, isStrong: true })
  const totp_code = factor?.code()
  const used = await Promise.all([ask({ totp_code }), ask({ totp_code })])
  expect(used.map(({ status }) => status).sort()).toEqual([201, 400])
  expect((await ask({ totp_code: factor?.recovery[0] })).status).toBe(201)
  expect((await ask({ totp_code: factor?.recovery[0] })).status).toBe(400)
})

test('409: a code is not used up while others create tokens, or at the limit', async () => {
  const { ports, anna, factor, ask } = await signedIn({ minutes: 16, isStrong: true })
  const totp_code = factor?.code()
  const others = present(await ports.leases.acquire('api-tokens', 'others', 10_000))
  const { sleep } = ports.clock
  ports.clock.sleep = async (milliseconds) => ports.clock.advance(milliseconds)
  const refusals = [await ask({ totp_code })]
  ports.clock.sleep = sleep
  await ports.leases.release(others)
  const ids = Array.from({ length: 100 }, (_, index) => `t${index}`)
  for (const id of ids) await ports.apiTokens.create(apiToken(id, anna.id))
  refusals.push(await ask({ totp_code }))
  expect(refusals.map(({ headers }) => headers['x-error-reason'])).toEqual(['lease-held', 'limit'])
  await ports.apiTokens.remove('t0')
  expect((await ask({ totp_code })).status).toBe(201)
})

test('400: a code does not count while the second factor is being set up', async () => {
  const { ports, anna, password, begin, pair, ask } = await signedIn({ minutes: 16 })
  await begin({ password }, { token: pair.access_token })
  expect((await ask({ password: 'a guess', totp_code: '123456' })).status).toBe(400)
  expect(await ports.apiTokens.list(anna.id)).toEqual([])
})

test('400: a wrong password or code, also soon after the sign-in', async () => {
  for (const minutes of [1, 16]) {
    const one = await signedIn({ minutes })
    const { status, json } = await one.ask({ password: 'a guess' })
    expect([status, json.error]).toEqual([400, 'body.password: is not your password'])
    const other = await signedIn({ minutes, isStrong: true })
    expect((await other.ask({ totp_code: '000000' })).status).toBe(400)
    expect(await other.ports.apiTokens.list()).toEqual([])
  }
})

test('423: counts guesses like failed logins', async () => {
  const { attempt, ask } = await signedIn({ minutes: 16 })
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await ask({ password: 'a guess' })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
  expect((await attempt()).status).toBe(423)
})

test('403: a user of an identity provider has to sign in again', async () => {
  const world = await ssoWorld()
  const { ports } = world
  const signIn = async () => (await world.redeem({ code: (await world.walk(ann)).code })).json
  const ask = async (token: string, more: object = {}) =>
    call(create, { ports, body: { name: 'ci', ...more }, as: { token } })
  const begun = await signIn()
  expect((await ask(begun.access_token)).status).toBe(201)
  const { access_token: later } = await refreshedAfter(16, begun.refresh_token, world)
  const { status, json } = await ask(later)
  expect([status, json.error]).toEqual([403, expect.stringContaining('identity provider')])
  expect((await ask(later, { password: 'a guess' })).status).toBe(400)
  expect((await ask((await signIn()).access_token)).status).toBe(201)
})

test('403: an API token is not asked for a password, but refused', async () => {
  const { ports, password, ask } = await signedIn({ minutes: 1 })
  const { token } = (await ask()).json
  ports.clock.advance(60 * minute)
  const body = { name: 'more', password }
  const refused = await call(create, { ports, body, as: { token } })
  expect([refused.status, refused.headers['x-error-reason']]).toEqual([403, undefined])
})
