import { expect, test } from 'vitest'
import { memoryPorts } from '../../../adapters/testing/memory/stores.ts'
import { call } from '../../../local/harness/call.ts'
import { passkeyWorld } from '../../../local/harness/passkeys.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import createToken from '../../api-tokens/create.ts'
import login from '../../auth/login.ts'
import refresh from '../../auth/refresh.ts'
import me from '../get.ts'
import changePassword from './update.ts'

const body = { current_password: 'old password', password: 'new password' }

async function world() {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash('old password')
  await accountOf(ports, { username: 'anna', passwordHash })
  const signIn = async (password = 'old password') =>
    (await call(login, { body: { username: 'anna', password }, ports })).json
  const change = (token: string, given: object = {}) =>
    call(changePassword, { body: { ...body, ...given }, ports, as: { token } })
  return { ports, signIn, change }
}

test('204: accepts the new password and rejects the old one', async () => {
  const { ports, signIn, change } = await world()
  const { access_token } = await signIn()
  expect((await change(access_token)).status).toBe(204)
  expect((await signIn('new password')).access_token).toBeTruthy()
  const old = { username: 'anna', password: 'old password' }
  expect((await call(login, { body: old, ports })).status).toBe(401)
})

test('204: ends every other session and keeps this one', async () => {
  const { ports, signIn, change } = await world()
  const other = await signIn()
  ports.clock.advance(1000)
  const own = await signIn()
  ports.clock.advance(1000)
  await change(own.access_token)
  const whoami = async (token: string) => (await call(me, { ports, as: { token } })).status
  expect(await whoami(other.access_token)).toBe(401)
  expect(await whoami(own.access_token)).toBe(200)
  const exchange = async (token: string) =>
    (await call(refresh, { body: { refresh_token: token }, ports })).status
  expect(await exchange(other.refresh_token)).toBe(401)
  expect(await exchange(own.refresh_token)).toBe(200)
})

test('204: keeps API tokens, or ends them all with `end_api_tokens`', async () => {
  const { ports, signIn, change } = await world()
  const as = { token: (await signIn()).access_token }
  const made = await call(createToken, { ports, body: { name: 'ci' }, as })
  const use = async () => (await call(me, { ports, as: { token: made.json.token } })).status
  await change(as.token, { end_api_tokens: false })
  expect(await use()).toBe(200)
  const again = { current_password: 'new password', password: 'a newer password' }
  await change(as.token, { ...again, end_api_tokens: true })
  expect(await use()).toBe(401)
  expect(await ports.apiTokens.list()).toEqual([])
  expect((await call(me, { ports, as })).status).toBe(200)
})

test('204: keeps passkeys, or deletes them all with `end_passkeys`', async () => {
  const { ports, token, password, add, passkeys, signInWith } = await passkeyWorld()
  const { device } = await add()
  const change = (given: object) => call(changePassword, { ports, body: given, as: { token } })
  const next = { current_password: password, password: 'new password' }
  expect((await change({ ...next, end_passkeys: false })).status).toBe(204)
  expect((await signInWith(device)).status).toBe(200)
  const again = { current_password: 'new password', password: 'a newer password' }
  expect((await change({ ...again, end_passkeys: true })).status).toBe(204)
  expect((await signInWith(device)).status).toBe(401)
  expect([await passkeys(), await ports.passkeys.list()]).toEqual([[], []])
  expect((await add({ body: { password: 'a newer password' } })).answer.status).toBe(201)
})

test('400: a wrong current password, or a new one that is too short', async () => {
  const { signIn, change } = await world()
  const { access_token } = await signIn()
  const wrong = await change(access_token, { current_password: 'a guess' })
  expect(wrong).toMatchObject({ status: 400, json: { error: expect.stringContaining('current') } })
  expect((await change(access_token, { password: 'short' })).status).toBe(400)
  expect((await change(access_token)).status).toBe(204)
})

test('403: an API token cannot change the password', async () => {
  const { ports, signIn, change } = await world()
  const as = { token: (await signIn()).access_token }
  const { token } = (await call(createToken, { body: { name: 'ci' }, ports, as })).json
  expect((await change(token)).status).toBe(403)
})

test('409: one of two simultaneous changes succeeds', async () => {
  const { signIn, change } = await world()
  const { access_token } = await signIn()
  const answers = await Promise.all([
    change(access_token, { password: 'one new password' }),
    change(access_token, { password: 'another new password' }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
})

test('423: counts guesses like failed logins', async () => {
  const { ports, signIn, change } = await world()
  const { access_token } = await signIn()
  const statuses = []
  for (let tries = 0; tries < 6; tries += 1) {
    statuses.push((await change(access_token, { current_password: 'a guess' })).status)
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
  const right = { username: 'anna', password: 'old password' }
  expect((await call(login, { body: right, ports })).status).toBe(423)
})
