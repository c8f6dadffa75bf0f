import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import { newBrowser } from '../harness/browser.ts'
import { startProvider, type TestProvider } from '../harness/identity-provider.ts'
import { type Cloud, startCloud } from '../harness/lambda/cloud.ts'
import {
  askCloud,
  logInto,
  password,
  type Sent,
  setUpCloud,
} from '../harness/lambda/cloud-client.ts'
import { codeAt, step } from '../harness/second-factor.ts'

let cloud: Cloud
let token: string
let provider: TestProvider

const ask = (path: string, sent?: Sent) => askCloud(cloud, path, sent)
const post = (path: string, body: object, as?: string) => ask(path, { method: 'POST', body, as })

/** Ends the process that signs in, so that the next request starts another one. */
const endProcess = () => present(cloud.functions.get('auth'), 'auth').end()

const addUser = (username: string) => post('/users', { username, password, role: 'viewer' }, token)

/** Logs in with a code of the second factor. Returns the status. */
const enter = async (username: string, totp_code: string) =>
  (await post('/auth/login', { username, password, totp_code })).status

/** Creates a user with a second factor, confirmed with its previous code. */
async function withFactor(username: string) {
  await addUser(username)
  const session = (await logInto(cloud, username)).json.access_token
  const { secret } = (await post('/me/mfa', { password }, session)).json
  // Near its end, the previous code would be too old when it arrives.
  const left = step - (Date.now() % step)
  if (left < step / 2) await pause(left)
  const totp_code = codeAt(secret, Date.now() - step)
  const confirmed = await post('/me/mfa/verify', { totp_code }, session)
  return { secret: secret as string, recovery: confirmed.json.recovery_codes as string[] }
}

beforeAll(async () => {
  cloud = await startCloud({ SERVICE_OUTBOUND_ALLOW: '127.0.0.1' })
  token = await setUpCloud(cloud)
  provider = await startProvider([`${cloud.url}/auth/oidc/mint/callback`])
  provider.people.ann = { preferred_username: 'ann', email: 'ann@example.org' }
})

afterAll(async () => {
  await provider?.close()
  await cloud?.[Symbol.asyncDispose]()
})

test('each code of a second factor is taken once, whichever process is asked', async () => {
  const { secret, recovery } = await withFactor('ben')
  expect((await logInto(cloud, 'ben')).status).toBe(401)
  for (const code of [codeAt(secret, Date.now()), present(recovery[0])]) {
    expect(await enter('ben', code)).toBe(200)
    await endProcess()
    expect(await enter('ben', code)).toBe(401)
  }
})

test('a recovery code that several requests use at once lets one of them in', async () => {
  const { recovery } = await withFactor('cleo')
  const attempts = Array.from({ length: 4 }, () => enter('cleo', present(recovery[0])))
  expect((await Promise.all(attempts)).sort()).toEqual([200, 401, 401, 401])
})

test('wrong passwords lock an account, though each is tried by another process', async () => {
  await addUser('dora')
  for (let tries = 0; tries < 5; tries += 1) {
    expect((await logInto(cloud, 'dora', 'a wrong password')).status).toBe(401)
    await endProcess()
  }
  expect((await logInto(cloud, 'dora')).status).toBe(423)
})

test('signs in with a provider, with another process for each step', async () => {
  const { issuer: issuer_url, clientId: client_id, clientSecret: client_secret } = provider
  const mint = { name: 'Mint', issuer_url, client_id, client_secret, default_role: 'viewer' }
  expect((await post('/oidc-providers', mint, token)).status).toBe(201)
  const redirect_uri = 'http://127.0.0.1:9/done'
  const isCallback = (url: string) => url.includes('/auth/oidc/mint/callback')
  const isEnd = (url: string) => url.startsWith(redirect_uri)
  const browser = newBrowser()
  const start = `${cloud.url}/auth/oidc/mint/login?${new URLSearchParams({ redirect_uri })}`
  const { url: callback } = await browser.go(start, 'ann', isCallback)
  await endProcess()
  const { url: end } = await browser.go(callback, 'ann', isEnd)
  const code = new URL(end).searchParams.get('code')
  await endProcess()
  const { status, json } = await post('/auth/oidc/exchange', { code })
  expect([status, json.user]).toMatchObject([200, { username: 'ann', role: 'viewer' }])
  expect((await ask('/me', { as: json.access_token })).json).toMatchObject({ username: 'ann' })
  await endProcess()
  expect((await post('/auth/oidc/exchange', { code })).status).toBe(401)
  const again = new URL((await browser.go(callback, 'ann', isEnd)).url)
  expect(isEnd(again.href) && again.searchParams.has('code')).toBe(false)
})
