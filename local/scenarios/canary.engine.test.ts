import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logsOf } from '../../adapters/dynamo/client.ts'
import { table } from '../../adapters/dynamo/table.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { pageHeaders } from '../harness/browser-session.ts'
import { testClient } from '../harness/dynamo-table.ts'
import { type OwnStore, startOwnStore } from '../harness/own-store.ts'
import { api, newPlace, type Place, type Running, setUpAdmin, startIn } from '../harness/service.ts'

const stack = `canary${randomBytes(3).toString('hex')}`
/** Description → secret. */
const secrets: Record<string, string> = {}
/** All output of the service in places that must not contain a secret. */
const said: string[] = []
let own: OwnStore
let place: Place
let running: Running
let token: string

const plant = (what: string) => {
  secrets[what] = `canary${randomBytes(12).toString('hex')}`
  return secrets[what]
}

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await api(running, method, path, { token, body })
  if (answer.status >= 400) said.push(JSON.stringify(answer.json))
  return answer
}

beforeAll(async () => {
  own = await startOwnStore()
  place = newPlace({
    ...own.env,
    SERVICE_SETUP_SECRET: plant('set-up secret'),
    SERVICE_LOG_LEVEL: 'debug',
  })
  place.password = plant('password of the admin')
  running = await startIn(place)
  token = await setUpAdmin(place, running)
  secrets['access token'] = token
})

afterAll(async () => {
  await call('DELETE', `/stacks/${stack}?volumes=true`)
  await place.remove()
  await own.remove()
})

/** Puts secrets into every text of stacks: saved, deployed, changed and rejected ones. */
async function plantStacks() {
  const lines = (from: string) =>
    Array.from({ length: 10 }, (_, index) => `SECRET_${index}: ${plant(`${from} ${index}`)}`)
  // Each is a warning of the deployment, so that its record is long enough to be compressed.
  const unset = Array.from({ length: 40 }, (_, index) => `L${index}: "\${UNSET_${index}}"`)
  const compose = `services:
  app:
    image: busybox:latest
    command: sleep 600
    stop_grace_period: 0s
    env_file: .env
    environment: {${lines('compose').join(', ')}}
    labels: {${unset.join(', ')}}
`
  const env = lines('.env').join('\n').replaceAll(': ', '=')
  const overlays = { prod: `services: {app: {environment: {${lines('overlay').join(', ')}}}}` }
  await call('POST', '/stacks', { name: stack, compose, env, overlays })
  const body = { environment: 'prod' }
  const deployed = await call('POST', `/stacks/${stack}/deploy`, body)
  expect(deployed.json).toMatchObject({ status: 'succeeded' })
  said.push(JSON.stringify(deployed.json))
  said.push(JSON.stringify((await call('POST', `/stacks/${stack}/plan`, body)).json))
  const broken = `services: {app: {image: busybox, environment: [A=${plant('broken compose')}], x: [}}`
  await call('PUT', `/stacks/${stack}`, { compose: broken })
  await call('PUT', `/stacks/${stack}`, { env: `A=${plant('newer .env')}` })
  await call('POST', '/stacks', { name: stack, compose, env })
}

/** Logs in as a page does, refreshes, and replays the first cookie with a wrong key. */
async function plantBrowserSession(name: string, password: string) {
  const ask = async (path: string, more: Record<string, string>, body: object = {}) => {
    const headers = { ...pageHeaders(running.url), ...more }
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${running.url}/api/v1/auth/browser/${path}`, request)
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const json = (await answer.json()) as Json
    if (!answer.ok) said.push(JSON.stringify(json))
    return { json, cookie }
  }
  const login = await ask('login', {}, { username: name, password })
  const key = { 'X-Browser-Key': login.json.browser_key }
  const next = await ask('refresh', { Cookie: login.cookie, ...key })
  const other = plant(`wrong browser key of ${name}`)
  await ask('refresh', { Cookie: login.cookie, 'X-Browser-Key': `csk_${other.padEnd(43, 'A')}` })
  secrets[`browser key of ${name}`] = login.json.browser_key
  secrets[`cookie of ${name}`] = present(login.cookie.split('=')[1])
  secrets[`next cookie of ${name}`] = present(next.cookie.split('=')[1])
}

/** Creates a token. On a busy machine, others hold the lock of such changes for too long: 409. */
async function createToken(name: string) {
  for (;;) {
    const answer = await call('POST', '/api-tokens', { name })
    if (/is in progress: try again/.test(answer.json.error)) continue
    expect(answer.status, JSON.stringify(answer.json)).toBe(201)
    return answer
  }
}

async function plantCredentials() {
  for (const name of ['anna', 'bert', 'carl']) {
    const password = plant(`password of ${name}`)
    await call('POST', '/users', { username: name, password, role: 'viewer' })
    const wrong = { username: name, password: plant(`wrong password of ${name}`) }
    await call('POST', '/auth/login', wrong)
    await call('POST', '/auth/login', { username: plant(`name typed by ${name}`), password })
    const { json } = await call('POST', '/auth/login', { username: name, password })
    Object.assign(secrets, { [`access ${name}`]: json.access_token })
    const next = await call('POST', '/auth/refresh', { refresh_token: json.refresh_token })
    secrets[`refresh ${name}`] = json.refresh_token
    secrets[`next refresh ${name}`] = next.json.refresh_token
    await plantBrowserSession(name, password)
  }
  // Concurrently, so that their audit rows are written together and compressed.
  const names = Array.from({ length: 12 }, (_, index) => `token ${index}`)
  const made = await Promise.all(names.map(createToken))
  for (const { json } of made) secrets[json.name] = json.token
  secrets['WebSocket ticket'] = (await call('POST', '/ws/ticket')).json.ticket
  const { password } = place
  secrets['TOTP seed'] = (await call('POST', '/me/mfa', { password })).json.secret
  const registry = { username: 'puller', password: plant('registry password') }
  const kept = { address: 'registry.example.org', ...registry }
  expect((await call('POST', '/registries', kept)).status).toBe(201)
  await call('PUT', '/registries/registry.example.org', { password: plant('newer one') })
  const provider = await call('POST', '/oidc-providers', {
    name: 'Test',
    issuer_url: 'https://id.example.org',
    client_id: 'stacks',
    client_secret: plant('client secret'),
  })
  expect(provider.status).toBe(201)
  await call('POST', '/secret-keys')
}

/** Returns the secrets that a text contains: plain, in base64 or in hex. */
function found(text: string): string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => {
      const bytes = Buffer.from(secret)
      // In base64 a substring can start at any of three offsets.
      const inside = [0, 1, 2].map((skip) => bytes.subarray(skip).toString('base64').slice(0, 24))
      return [secret, bytes.toString('hex'), ...inside].some((form) => text.includes(form))
    })
    .map(([what]) => what)
}

/** Returns the decompressed content of the store's items. */
async function compressed(): Promise<string[]> {
  const { endpoint, region, credentials } = own.store
  const name = present(place.env.SERVICE_DYNAMODB_TABLE)
  const client = testClient({ endpoint, region, table: name, credentials })
  const texts: string[] = []
  for (const one of [client, logsOf(client)]) {
    for await (const { zip } of table(one).scan('zip')) {
      texts.push(inflateRawSync(zip as Uint8Array).toString('latin1'))
    }
  }
  expect(texts.length).toBeGreaterThan(0)
  return texts
}

const filesOf = (place: string) =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test('none of more than fifty planted secrets is in a log, error, audit row, store file or argument', async () => {
  await plantStacks()
  await plantCredentials()
  const rows = await call('GET', '/audit')
  expect(rows.json.length).toBeGreaterThan(20)
  expect(Object.keys(secrets).length).toBeGreaterThan(50)
  for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(15)

  const control = Buffer.from(`x${secrets['.env 0']}`).toString('base64')
  expect(found(control)).toEqual(['.env 0'])

  expect(found(JSON.stringify(rows.json))).toEqual([])
  expect(found(said.join('\n'))).toEqual([])
  expect(found(running.lines.join('\n'))).toEqual([])
  const stored = filesOf(own.directory).map((path) => readFileSync(path, 'latin1'))
  expect(stored.join('').length).toBeGreaterThan(100_000)
  expect(stored.flatMap(found)).toEqual([])
  expect((await compressed()).flatMap(found)).toEqual([])
  // Only the owner can read the set-up secret and the keys. No other file contains a secret.
  const kept = filesOf(join(place.directory, 'data')).filter(
    (path) => !path.endsWith('setup-secret'),
  )
  expect(kept.flatMap((path) => found(readFileSync(path, 'latin1')))).toEqual([])
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const args = processes.map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'latin1')
    } catch {
      return ''
    }
  })
  expect(args.flatMap(found)).toEqual([])
})
