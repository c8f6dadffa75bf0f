import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { annaWorld } from '../../../local/harness/second-factor.ts'
import createToken from '../../api-tokens/create.ts'
import me from '../get.ts'

test('200: returns a seed and its otpauth URL; logins do not need a code yet', async () => {
  const world = await annaWorld()
  const { status, json } = await world.begin()
  expect(status).toBe(200)
  expect(json.secret).toMatch(/^[A-Z2-7]{32}$/)
  const url = new URL(json.otpauth_url)
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Container Stacks:anna',
  ])
  expect(url.searchParams.get('secret')).toBe(json.secret)
  expect(url.searchParams.get('issuer')).toBe('Container Stacks')
  expect((await world.attempt()).status).toBe(200)
  const { json: shown } = await call(me, { ports: world.ports, as: { token: world.token } })
  expect(shown.mfa_enabled).toBe(false)
})

test('200: starting again replaces the seed', async () => {
  const { ports, begin: again } = await annaWorld()
  const seeds = [(await again()).json.secret, (await again()).json.secret]
  expect(seeds[0]).not.toBe(seeds[1])
  expect((await ports.secondFactors.list()).map(({ secret }) => secret)).toEqual([seeds[1]])
})

test('400: a wrong or missing password starts nothing', async () => {
  const { ports, begin: attempt } = await annaWorld()
  const wrong = await attempt({ password: 'a guess' })
  expect(wrong).toMatchObject({ status: 400, json: { error: expect.stringContaining('password') } })
  expect((await attempt({})).status).toBe(400)
  expect(await ports.secondFactors.list()).toEqual([])
})

test('403: an API token cannot set up a second factor', async () => {
  const { ports, token, begin: attempt } = await annaWorld()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await attempt(undefined, { token: made.json.token })).status).toBe(403)
})

test('409: the second factor is already enabled', async () => {
  const world = await annaWorld()
  const { code } = await world.enable()
  expect((await world.begin()).status).toBe(409)
  expect(await world.ports.secondFactors.list()).toHaveLength(1)
  expect((await world.attempt({ totp_code: code() })).status).toBe(200)
})

test('423: counts guesses like failed logins', async () => {
  const { begin: attempt, attempt: login } = await annaWorld()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await attempt({ password: 'a guess' })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
  expect((await login()).status).toBe(423)
})
