import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { annaWorld, codeAt, step } from '../../../local/harness/second-factor.ts'
import createToken from '../../api-tokens/create.ts'
import list from '../../users/list.ts'
import me from '../get.ts'
import begin from './create.ts'
import verify from './verify.ts'

test('200: returns ten recovery codes, and logins need a code from then on', async () => {
  const world = await annaWorld()
  const { recovery, code } = await world.enable()
  expect(recovery).toHaveLength(10)
  expect(new Set(recovery).size).toBe(10)
  for (const one of recovery) expect(one).toMatch(/^[A-Z2-7]{20}$/)
  expect((await world.attempt()).status).toBe(401)
  expect((await world.attempt({ totp_code: code() })).status).toBe(200)
  const own = await call(me, { ports: world.ports, as: { token: world.token } })
  expect(own.json.mfa_enabled).toBe(true)
  const users = (await call(list, { ports: world.ports, as: 'admin' })).json
  expect(users.find(({ username }: { username: string }) => username === 'anna').mfa_enabled).toBe(
    true,
  )
})

test('200: stores recovery codes only as hashes', async () => {
  const world = await annaWorld()
  const { recovery } = await world.enable()
  const stored = JSON.stringify(await world.ports.secondFactors.list())
  expect(recovery).toHaveLength(10)
  for (const code of recovery) expect(stored).not.toContain(code)
})

test('200: ends every other session and keeps this one', async () => {
  const world = await annaWorld()
  const other = (await world.attempt()).json.access_token
  world.ports.clock.advance(1000)
  await world.enable()
  const whoami = async (token: string) =>
    (await call(me, { ports: world.ports, as: { token } })).status
  expect([await whoami(world.token), await whoami(other)]).toEqual([200, 401])
})

test('200: keeps API tokens, or ends them all with `end_api_tokens`', async () => {
  for (const [more, status] of [
    [{}, 200],
    [{ end_api_tokens: true }, 401],
  ] as const) {
    const { ports, token, begin: start } = await annaWorld()
    const as = { token }
    const made = (await call(createToken, { ports, body: { name: 'ci' }, as })).json
    const totp_code = codeAt((await start()).json.secret, ports.clock.now())
    expect((await call(verify, { ports, body: { totp_code, ...more }, as })).status).toBe(200)
    expect((await call(me, { ports, as: { token: made.token } })).status).toBe(status)
  }
})

test('200: one of twenty simultaneous requests with one code succeeds', async () => {
  const world = await annaWorld()
  const { secret } = (await world.begin()).json
  const code = codeAt(secret, world.ports.clock.now())
  const answers = await Promise.all(Array.from({ length: 20 }, () => world.verify(code)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await world.ports.secondFactors.list())[0]?.recoveryHashes).toHaveLength(10)
})

test('400: a wrong code, the code of an earlier seed, or an old code enables nothing', async () => {
  const world = await annaWorld()
  const first = (await world.begin()).json.secret
  const { secret } = (await world.begin()).json
  const now = world.ports.clock.now()
  for (const code of ['000000', codeAt(first, now), codeAt(secret, now - 2 * step), '12345', 'x']) {
    expect((await world.verify(code)).status).toBe(400)
    await world.attempt()
  }
  expect((await world.account()).mfaEnabled).toBe(false)
  expect((await world.verify(codeAt(secret, now))).status).toBe(200)
})

test('403: an API token cannot enable the second factor', async () => {
  const { ports, token, verify: attempt } = await annaWorld()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await attempt('123456', { token: made.json.token })).status).toBe(403)
})

test('409: the setup was not started, has expired, or is complete', async () => {
  const world = await annaWorld()
  expect((await world.verify('123456')).status).toBe(409)
  const { secret } = (await world.begin()).json
  world.ports.clock.advance(14.9 * 60_000)
  const { access_token: token } = (await world.attempt()).json
  world.ports.clock.advance(0.1 * 60_000)
  const late = codeAt(secret, world.ports.clock.now())
  expect((await world.verify(late, { token })).status).toBe(409)
  const again = (await call(begin, { ...world, body: { password: world.password }, as: { token } }))
    .json.secret
  const code = codeAt(again, world.ports.clock.now())
  expect((await world.verify(code, { token })).status).toBe(200)
  expect((await world.verify(code, { token })).status).toBe(409)
})

test('409: a request with the next code replaces no recovery codes that another one shows', async () => {
  const world = await annaWorld()
  const { secret } = (await world.begin()).json
  const now = world.ports.clock.now()
  const { replace } = world.ports.accounts
  world.ports.accounts.replace = async (account) => {
    world.ports.accounts.replace = replace
    expect((await world.verify(codeAt(secret, now))).status).toBe(409)
    return replace(account)
  }
  const { status, json } = await world.verify(codeAt(secret, now - step))
  expect([status, json.recovery_codes.length]).toEqual([200, 10])
  for (const totp_code of json.recovery_codes) {
    expect((await world.attempt({ totp_code })).status).toBe(200)
  }
})

test('409: a confirmed set-up that was not completed is started again', async () => {
  const world = await annaWorld()
  const { secret } = (await world.begin()).json
  const now = world.ports.clock.now()
  const { replace } = world.ports.accounts
  world.ports.accounts.replace = () => Promise.reject(new Error('the store is down'))
  expect((await world.verify(codeAt(secret, now - step))).status).toBe(500)
  world.ports.accounts.replace = replace
  const { status, json } = await world.verify(codeAt(secret, now))
  expect([status, json.error]).toEqual([409, expect.stringContaining('start again')])
  expect((await world.attempt()).status).toBe(200)
  await world.enable()
})

test('423: counts guesses like failed logins', async () => {
  const world = await annaWorld()
  await world.begin()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) statuses.push((await world.verify('000000')).status)
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
})
