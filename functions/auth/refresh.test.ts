import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import me from '../me/get.ts'
import login from './login.ts'
import refresh from './refresh.ts'

const minute = 60_000
const hour = 60 * minute

/** Returns ports with Anna signed in, and her tokens. */
async function signedIn(more: object = {}) {
  const ports = memoryPorts()
  const passwordHash = await ports.passwords.hash('password')
  const anna = await accountOf(ports, { username: 'anna', passwordHash })
  const body = { username: 'anna', password: 'password', ...more }
  const tokens = (await call(login, { body, ports })).json
  return {
    ports,
    anna,
    tokens,
    exchange: (token: string) => call(refresh, { body: { refresh_token: token }, ports }),
    whoami: (token: string) => call(me, { ports, as: { token } }),
  }
}

test('200: returns a new pair, and both access tokens are valid', async () => {
  const { tokens, exchange, whoami } = await signedIn()
  const { status, json } = await exchange(tokens.refresh_token)
  expect(status).toBe(200)
  expect(Object.keys(json)).toEqual(['access_token', 'refresh_token'])
  expect(json.refresh_token).not.toBe(tokens.refresh_token)
  expect((await whoami(tokens.access_token)).status).toBe(200)
  expect((await whoami(json.access_token)).status).toBe(200)
})

test('200: a session in use lasts until its absolute expiry', async () => {
  const { ports, tokens, exchange } = await signedIn()
  let token = tokens.refresh_token
  for (let passed = 0; passed < 23.5 * hour; passed += 30 * minute) {
    ports.clock.advance(30 * minute)
    const { status, json } = await exchange(token)
    expect(status).toBe(200)
    token = json.refresh_token
  }
  ports.clock.advance(30 * minute)
  expect((await exchange(token)).status).toBe(401)
})

test('200: a remembered session has no idle timeout', async () => {
  const { ports, tokens, exchange } = await signedIn({ remember_me: true })
  ports.clock.advance(13 * 24 * hour)
  const { status, json } = await exchange(tokens.refresh_token)
  expect(status).toBe(200)
  ports.clock.advance(24 * hour)
  expect((await exchange(json.refresh_token)).status).toBe(401)
})

test('400: the token is missing, or a field is unknown', async () => {
  const { ports } = await signedIn()
  expect((await call(refresh, { body: {}, ports })).status).toBe(400)
  const body = { refresh_token: 'a', access_token: 'b' }
  expect((await call(refresh, { body, ports })).status).toBe(400)
})

test('401: a replaced token ends its session and the access tokens', async () => {
  const { tokens, exchange, whoami } = await signedIn()
  const next = (await exchange(tokens.refresh_token)).json
  expect((await exchange(tokens.refresh_token)).status).toBe(401)
  expect((await exchange(next.refresh_token)).status).toBe(401)
  expect((await whoami(next.access_token)).status).toBe(401)
})

test('401: two simultaneous exchanges of one token succeed once and end the session', async () => {
  const { tokens, exchange } = await signedIn()
  const answers = await Promise.all([
    exchange(tokens.refresh_token),
    exchange(tokens.refresh_token),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  const winner = answers.find(({ status }) => status === 200)
  expect((await exchange(winner?.json.refresh_token)).status).toBe(401)
})

test('401: the session was idle for an hour', async () => {
  const { ports, tokens, exchange } = await signedIn()
  ports.clock.advance(hour)
  expect((await exchange(tokens.refresh_token)).status).toBe(401)
})

test('401: the account is disabled or deleted', async () => {
  const { ports, anna, tokens, exchange } = await signedIn()
  const stored = await ports.accounts.find(anna.id)
  await ports.accounts.replace({ ...present(stored), disabled: true })
  expect((await exchange(tokens.refresh_token)).status).toBe(401)
  const other = await signedIn()
  await other.ports.accounts.remove(other.anna.id)
  expect((await other.exchange(other.tokens.refresh_token)).status).toBe(401)
})

test('401: rejects other kinds of tokens and truncated or changed ones', async () => {
  const { tokens, exchange } = await signedIn()
  const token: string = tokens.refresh_token
  const others = [tokens.access_token, `cst_${'0'.repeat(42)}`, token.slice(0, -1), `${token}=`]
  for (const other of [...others, token.toUpperCase(), ` ${token}`]) {
    expect((await exchange(other)).status).toBe(401)
  }
  expect((await exchange(token)).status).toBe(200)
})

test('401: a refresh token does not authenticate requests', async () => {
  const { tokens, whoami } = await signedIn()
  expect((await whoami(tokens.refresh_token)).status).toBe(401)
})

test('401: a session ID alone cannot end the session', async () => {
  const { tokens, exchange, whoami } = await signedIn()
  const [id, family, secret] = tokens.refresh_token.split('.')
  const guessed = `${id}.${'A'.repeat(22)}`
  const guesses = [`${guessed}.${'A'.repeat(43)}`, `${guessed}.${secret}`]
  for (const guess of guesses) expect((await exchange(guess)).status).toBe(401)
  expect((await whoami(tokens.access_token)).status).toBe(200)
  const { status, json } = await exchange(tokens.refresh_token)
  expect([status, json.refresh_token.split('.')[1]]).toEqual([200, family])
})

test('401: applies the current settings if they are stricter', async () => {
  const { ports, tokens, exchange, whoami } = await signedIn()
  await ports.settings.save({ 'auth.session_absolute_hours': 0.1 })
  ports.clock.advance(5 * minute)
  expect((await whoami(tokens.access_token)).status).toBe(200)
  ports.clock.advance(minute)
  expect((await whoami(tokens.access_token)).status).toBe(401)
  expect((await exchange(tokens.refresh_token)).status).toBe(401)
})
