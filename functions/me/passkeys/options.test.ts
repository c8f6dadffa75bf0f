import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { passkeyWorld } from '../../../local/harness/passkeys.ts'
import { accountOf, signIn } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import options from './options.ts'

test('200: returns what a page needs, bound to the configured address', async () => {
  const { ask, anna, add } = await passkeyWorld()
  const { device } = await add()
  const { status, json } = await ask()
  expect([status, json]).toEqual([
    200,
    {
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{72}$/),
      rp_id: 'stacks.example.org',
      origin: 'https://stacks.example.org',
      user_id: Buffer.from(anna.id).toString('base64url'),
      username: 'anna',
      algorithms: [-8, -7, -257],
      exclude_credentials: [device.credentialId],
    },
  ])
  expect((await ask()).json.challenge).not.toBe(json.challenge)
})

test('200: needs a code instead of the password if there is a second factor', async () => {
  const { ask, enable, password } = await passkeyWorld()
  const { code } = await enable()
  expect((await ask({ password })).status).toBe(400)
  expect((await ask({ totp_code: code() })).status).toBe(200)
})

test('400: the password or the code is missing or wrong, however recent the sign-in', async () => {
  const { ask, enable } = await passkeyWorld()
  const [missing, wrong] = [await ask({}), await ask({ password: 'a guess' })]
  expect([missing.status, missing.json.error]).toEqual([400, 'body.password: is required'])
  expect([wrong.status, wrong.json.error]).toEqual([400, 'body.password: is not your password'])
  await enable()
  const [none, guessed] = [await ask({}), await ask({ totp_code: '000000' })]
  expect(none.json.error).toContain('body.totp_code: is required')
  expect([none.status, guessed.status]).toEqual([400, 400])
})

test('403: an API token cannot add a passkey', async () => {
  const { ports, token, password, ask } = await passkeyWorld()
  const made = await call(createToken, { ports, body: { name: 'ci' }, as: { token } })
  expect((await ask({ password }, { token: made.json.token })).status).toBe(403)
})

test.each([
  [null, 'set SERVICE_BASE_URL'],
  ['https://192.0.2.1', 'a host name'],
  ['https://[2001:db8::1]:8443', 'a host name'],
  ['http://stacks.example.org', 'https://'],
])('409: the service has the address %s', async (baseUrl, way) => {
  const { ports, ask } = await passkeyWorld()
  ports.site.baseUrl = baseUrl
  const { status, json } = await ask()
  expect([status, json.error]).toEqual([409, expect.stringContaining(way)])
})

test('409: an identity provider signs the account in', async () => {
  const { ports } = await passkeyWorld()
  const identity = { issuer: 'https://accounts.example.org', subject: '1' }
  await accountOf(ports, { username: 'bob', identity, passwordHash: null })
  const as = { token: await signIn(ports, { username: 'bob' }) }
  const { status, json } = await call(options, { ports, body: { password: 'x' }, as })
  expect([status, json.error]).toEqual([409, expect.stringContaining('identity provider')])
})

test('423: counts guesses like failed logins', async () => {
  const { ask, attempt } = await passkeyWorld()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await ask({ password: 'a guess' })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
  expect((await attempt()).status).toBe(423)
})
