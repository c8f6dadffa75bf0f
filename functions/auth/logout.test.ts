import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import me from '../me/get.ts'
import login from './login.ts'
import logout from './logout.ts'
import refresh from './refresh.ts'

async function signedIn() {
  const ports = memoryPorts()
  await accountOf(ports, { username: 'anna', passwordHash: await ports.passwords.hash('password') })
  const body = { username: 'anna', password: 'password' }
  const tokens = (await call(login, { body, ports })).json
  return { ports, tokens }
}

test('204: ends the session and its access token at once', async () => {
  const { ports, tokens } = await signedIn()
  const body = { refresh_token: tokens.refresh_token }
  expect(await call(logout, { body, ports })).toMatchObject({ status: 204, text: '' })
  expect((await call(me, { ports, as: { token: tokens.access_token } })).status).toBe(401)
  expect((await call(refresh, { body, ports })).status).toBe(401)
})

test('204: leaves other sessions unchanged', async () => {
  const { ports, tokens } = await signedIn()
  const body = { username: 'anna', password: 'password' }
  const other = (await call(login, { body, ports })).json
  await call(logout, { body: { refresh_token: tokens.refresh_token }, ports })
  expect((await call(me, { ports, as: { token: other.access_token } })).status).toBe(200)
})

test('204: accepts a token that is no longer valid', async () => {
  const { ports, tokens } = await signedIn()
  for (const token of [tokens.refresh_token, tokens.refresh_token, 'anything']) {
    expect((await call(logout, { body: { refresh_token: token }, ports })).status).toBe(204)
  }
})

test('400: no token', async () => {
  expect((await call(logout, { body: {} })).status).toBe(400)
})

test('204: a session ID alone does not end the session', async () => {
  const { ports, tokens } = await signedIn()
  const [id] = tokens.refresh_token.split('.')
  const body = { refresh_token: `${id}.${'A'.repeat(22)}.${'A'.repeat(43)}` }
  expect((await call(logout, { body, ports })).status).toBe(204)
  expect((await call(me, { ports, as: { token: tokens.access_token } })).status).toBe(200)
})
