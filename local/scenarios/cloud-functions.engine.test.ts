import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { type Cloud, startCloud } from '../harness/lambda/cloud.ts'
import {
  askCloud,
  logInto,
  password,
  type Sent,
  setUpCloud,
} from '../harness/lambda/cloud-client.ts'
import { lambdaFunction } from '../harness/lambda/function-process.ts'
import { paced } from '../harness/pace.ts'

let cloud: Cloud
let token: string

const ask = (path: string, sent?: Sent) => askCloud(cloud, path, sent)
const logIn = (username: string, words?: string) => logInto(cloud, username, words)

beforeAll(async () => {
  cloud = await startCloud()
  token = await setUpCloud(cloud)
})

afterAll(() => cloud[Symbol.asyncDispose]())

test('200: the health check writes to the store and finds the keys', async () => {
  expect((await ask('/health')).json).toMatchObject({ status: 'ok' })
})

test('200: a session of one function is valid in the others', async () => {
  expect((await ask('/version', { as: token })).json).toHaveProperty('store_format')
  expect((await ask('/me', { as: token })).json).toMatchObject({ username: 'anna' })
  expect((await ask('/me')).status).toBe(401)
})

test('200: set-up is over for every function', async () => {
  expect((await ask('/setup')).json).toEqual({ is_done: true })
})

test('users, roles, tokens and settings are changed by one function and seen by others', async () => {
  const role = { name: 'reader', permissions: ['stacks:read'] }
  expect((await ask('/roles', { method: 'POST', body: role, as: token })).status).toBe(201)
  const ben = { username: 'ben', password, role: 'reader' }
  const made = await ask('/users', { method: 'POST', body: ben, as: token })
  expect(made.status).toBe(201)
  const bens = (await logIn('ben')).json.access_token
  expect((await ask('/stacks', { as: bens })).json).toEqual([])
  expect((await ask('/users', { as: bens })).status).toBe(403)

  const tokens = await ask('/api-tokens', { method: 'POST', body: { name: 'ci' }, as: bens })
  expect(tokens.status).toBe(201)
  const secret = tokens.json.token
  expect((await ask('/me', { as: secret })).json).toMatchObject({ username: 'ben' })
  const listed = await ask('/api-tokens', { as: bens })
  expect(listed.json[0].last_used_at).not.toBeNull()

  const changed = { 'auth.lockout_max_attempts': 3 }
  expect((await ask('/settings', { method: 'PUT', body: changed, as: token })).status).toBe(200)
  expect((await ask('/settings', { as: token })).json).toMatchObject(changed)

  const removed = await ask(`/users/${made.json.id}`, { method: 'DELETE', as: token })
  expect(removed.status).toBe(204)
  expect((await ask('/me', { as: bens })).status).toBe(401)
  expect((await ask('/me', { as: secret })).status).toBe(401)
})

test('423: wrong passwords lock an account in every process', async () => {
  const cleo = { username: 'cleo', password, role: 'viewer' }
  await ask('/users', { method: 'POST', body: cleo, as: token })
  const settings = { 'auth.lockout_max_attempts': 3 }
  await ask('/settings', { method: 'PUT', body: settings, as: token })
  for (let tries = 0; tries < 3; tries += 1) await logIn('cleo', 'wrong horse battery')
  await present(cloud.functions.get('auth')).end()
  expect((await logIn('cleo')).status).toBe(423)
})

test('cookies of the browser session go both ways', async () => {
  const headers = { origin: new URL(cloud.url).origin, 'x-requested-with': 'container-stacks' }
  const entered = await ask('/auth/browser/login', {
    method: 'POST',
    body: { username: 'anna', password },
    headers,
  })
  expect(entered.status).toBe(200)
  const cookie = present(entered.headers.get('set-cookie')).split(';')[0] ?? ''
  const renewed = await ask('/auth/browser/refresh', {
    method: 'POST',
    body: {},
    headers: {
      ...headers,
      cookie: `other=1; ${cookie}`,
      'x-browser-key': entered.json.browser_key,
    },
  })
  expect([renewed.status, typeof renewed.json.access_token]).toEqual([200, 'string'])
})

test('the audit log has the changes and refused attempts of every function, in one chain', async () => {
  const rows = (await ask('/audit', { as: token })).json as Json[]
  const actions = rows.map(({ action }) => action)
  expect(actions).toContain('users.create')
  expect(actions).toContain('settings.update')
  expect(rows.some(({ outcome }) => outcome === 'refused')).toBe(true)
  expect((await ask('/audit/verify', { as: token })).json).toMatchObject({ ok: true })
})

test('200: the description of the API and its explorer are served by a function', async () => {
  const { paths } = (await ask('/openapi.json')).json
  expect(Object.keys(paths['/stacks/{name}/deploy'])).toEqual(['post'])
  const explorer = (await ask('/docs')).text
  const scripts = [...explorer.matchAll(/<script[^>]* src="(?:\.\/)?docs\/([^"]+)"/g)]
  expect(scripts.map(([, name]) => name)).toContain('swagger-ui-bundle.js')
  for (const [, name] of scripts) expect((await ask(`/docs/${name}`)).status, name).toBe(200)
})

test('a path that the gateway does not know never reaches a function', async () => {
  expect((await ask('/nothing')).json).toEqual({ message: 'Not Found' })
})

test('404: a slash that the gateway decodes into a name is refused', async () => {
  expect((await ask('/stacks/a%252Fb', { as: token })).status).toBe(404)
})

test('each function has a line in its log for each request', async () => {
  await ask('/me', { as: token, headers: { 'x-request-id': 'of-this-test' } })
  const lines = present(cloud.functions.get('me')).output()
  expect(lines).toContain('"request_id":"of-this-test","method":"GET","route":"GET /me"')
  expect(lines).not.toContain(token)
})

test('413: the gateway refuses what Lambda cannot take', async () => {
  const compose = 'x'.repeat(7 * 1024 ** 2)
  const response = await ask('/stacks', { method: 'POST', body: { name: 'a', compose }, as: token })
  expect(response.status).toBe(413)
})

test('no role forbids a call of the store that a request needs', async () => {
  const others = ['/registries', '/alert-channels', '/secret-keys', '/backup-jobs', '/alert-events']
  for (const path of others) expect((await ask(path, { as: token })).status, path).toBe(200)
  expect(cloud.refused()).toEqual([])
})

/** Returns how the start of a function fails with other variables. */
async function failedStart(changes: Record<string, string>): Promise<string> {
  const place = present(cloud.places.get('me'))
  const one = lambdaFunction({ ...place, environment: { ...place.environment, ...changes } })
  const ended = await one.call('{}')
  await one.end()
  return 'error' in ended ? ended.error : ended.response
}

test('a function does not start without the key of its store', async () => {
  expect(await failedStart({ SERVICE_SECRET_KEY: '' })).toContain('requires SERVICE_SECRET_KEY')
  const SERVICE_SECRET_KEY = randomBytes(32).toString('base64')
  expect(await failedStart({ SERVICE_SECRET_KEY })).toContain('is not the key that sealed')
  expect(await failedStart({ SERVICE_KEYS: 'files' })).toContain('SERVICE_KEYS: functions need')
  expect(await failedStart({ SERVICE_STORE: 'sqlite' })).toContain('SERVICE_STORE: functions need')
})

test('a function without any file continues with the keys in the store', async () => {
  const place = present(cloud.places.get('me'))
  rmSync(join(present(place.environment.TMPDIR), 'container-stacks'), { recursive: true })
  await present(cloud.functions.get('me')).end()
  expect((await ask('/me', { as: token })).status).toBe(200)
  expect((await ask('/audit/verify', { as: token })).json).toMatchObject({ ok: true })
})

test('the service carries out what needs an Engine: a deployment, from 202 to its end', async () => {
  const name = 'cloud-shop'
  const compose =
    'services:\n  web:\n    image: busybox:latest\n    command: sleep 3600\n    stop_grace_period: 0s\n'
  const stack = { name, compose }
  const made = await ask('/stacks', { method: 'POST', body: stack, as: token })
  expect([made.status, made.json.error]).toEqual([201, undefined])
  const started = await ask(`/stacks/${name}/deploy`, { method: 'POST', body: {}, as: token })
  expect([started.status, started.json.error ?? null]).toEqual([202, null])
  const statusOf = async () =>
    (await ask(`/stacks/${name}/deployments/${started.json.id}`, { as: token })).json.status
  await expect.poll(statusOf, { timeout: paced(60_000) }).toBe('succeeded')
  const containers = (await ask('/containers', { as: token })).json as Json[]
  expect(containers.map(({ name: one }) => one)).toContain(`${name}-web-1`)
  const down = await ask(`/stacks/${name}?volumes=true`, { method: 'DELETE', as: token })
  expect(down.status).toBe(204)
  const rows = (await ask('/audit', { as: token })).json as Json[]
  const deploys = rows.filter(({ action }) => action === 'stacks.deploy')
  // The end of the deployment, and before it the request that started it.
  expect(deploys.map((row) => [row.username, row.outcome, row.status])).toEqual([
    ['anna', 'succeeded', null],
    ['anna', 'succeeded', 202],
  ])
  expect(deploys[0].request_id).toBe(deploys[1].request_id)
})

test('the service checks the caller of what it carries out', async () => {
  expect((await ask('/containers')).status).toBe(401)
  const role = { name: 'no-containers', permissions: ['stacks:read'] }
  await ask('/roles', { method: 'POST', body: role, as: token })
  const dora = { username: 'dora', password, role: 'no-containers' }
  await ask('/users', { method: 'POST', body: dora, as: token })
  const doras = (await logIn('dora')).json.access_token
  expect((await ask('/stacks', { as: doras })).status).toBe(200)
  expect((await ask('/containers', { as: doras })).status).toBe(403)
})

test('a host is enrolled at the service, which has the private key of the agents', async () => {
  const made = await ask('/hosts', { method: 'POST', body: { name: 'far' }, as: token })
  expect([made.status, made.json.host?.name]).toEqual([201, 'far'])
})

test('without the service, its hosts are offline and the rest goes on', async () => {
  cloud.service.child.kill('SIGKILL')
  await cloud.service.ended
  const containers = await ask('/containers', { as: token })
  expect(containers.status).toBe(500)
  expect(containers.headers.get('x-error-reason')).toBe('host-offline')
  const compose = 'services:\n  web:\n    image: nginx:1\n'
  const stack = { name: 'shop', compose }
  const made = await ask('/stacks', { method: 'POST', body: stack, as: token })
  expect([made.status, made.json.error]).toEqual([201, undefined])
  const deployed = await ask('/stacks/shop/deploy', { method: 'POST', body: {}, as: token })
  expect(deployed.headers.get('x-error-reason')).toBe('host-offline')
  expect((await ask('/stacks', { as: token })).json).toMatchObject([{ name: 'shop' }])
  expect(cloud.refused()).toEqual([])
})

test('409: without the service, a host is not enrolled', async () => {
  const response = await ask('/hosts', { method: 'POST', body: { name: 'near' }, as: token })
  expect(response.status).toBe(409)
  expect(response.text).toContain('no authority for agents')
  expect((await ask('/hosts', { as: token })).text).not.toContain('"near"')
})
