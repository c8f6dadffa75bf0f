import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../adapters/node/http/listen.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { present } from '../../adapters/testing/present.ts'
import { exchange, type RawAnswer, rawClient } from '../../adapters/testing/raw-http.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { prefix, routes } from '../../serverless.ts'
import { signIn } from '../harness/sign-in.ts'
import { callerOf, type MatrixWorld, matrixWorld } from './matrix-world.ts'
import type { Request } from './request.ts'
import { rows } from './rows.ts'
import { stageOf } from './stage.ts'

let listener: Listener
/** Serves the ports that a test assigns to `current`. */
let ofRow: Listener
let current: MatrixWorld['ports']
let viewer: string
let admin: string

type ListenPorts = Parameters<typeof listen>[0]['ports']

const serve = (ports: ListenPorts) =>
  listen({ routes, prefix, ports, log: memoryLog(), port: 0, host: '127.0.0.1' })

beforeAll(async () => {
  const { ports } = await matrixWorld(undefined)
  listener = await serve(ports)
  current = { ...ports }
  ofRow = await serve(current)
  viewer = await signIn(ports, 'viewer')
  admin = await signIn(ports, 'admin')
})
afterAll(async () => {
  for (const one of [listener, ofRow]) await one.close(AbortSignal.abort())
})

/** Sends a request to a listener. */
function ask(
  { port }: Listener,
  method: string,
  target: string,
  { headers = {}, body }: Pick<Request, 'headers' | 'body'> = {},
) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const sent = {
    ...headers,
    ...(text && { 'Content-Type': 'application/json', 'Content-Length': `${text.length}` }),
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${target} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`
  return exchange(port, Buffer.from(head + text, 'latin1'))
}

const send = (method: string, target: string, headers: Record<string, string> = {}) =>
  ask(listener, method, target, { headers })

const isSuccess = ({ status }: RawAnswer) => status >= 200 && status < 300

/** Other spellings of a path, some of which other servers treat as equal. */
const spellings: ((path: string) => string)[] = [
  (path) => path,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace('/v1/', '/v1//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1/health/../'),
  (path) => path.replace('/v1/', '/v1/docs/..%2f'),
  (path) => path.replace('/v1/', '/v1/docs/%2e%2e/'),
  (path) => path.replace('/v1/', '/v1/docs/..;/'),
  (path) => path.replace('/v1/', '/v1%2f'),
  (path) => path.replace('/v1/', '/v1%5c'),
  (path) => path.replace('/v1/', '/v1\\'),
  (path) => path.replace('/v1/', '/v1/%2e/'),
  (path) => `${path}/.`,
  (path) => `${path}/%2e%2e/${path.split('/').at(-1)}`,
  (path) => `${path}.js`,
  (path) => `${path}.json`,
  (path) => `${path}.css`,
  (path) => `${path};a=b`,
  (path) => `${path};.js`,
  (path) => `${path}%00`,
  (path) => `${path}%00.js`,
  (path) => `${path}%0a`,
  (path) => `${path}%20`,
  (path) => `${path}%2f`,
  (path) => `${path}%3f`,
  (path) => `${path}%23`,
  (path) => `${path}#`,
  (path) => `${path}~`,
  (path) => path.toUpperCase(),
  (path) => path.replace(/\/v1\/(.)/, (_, letter: string) => `/v1/${letter.toUpperCase()}`),
  (path) => path.replace(/\/v1\/(.)/, (_, letter: string) => `/v1/%${hex(letter)}`),
  (path) => path.replace(/\/v1\/(.)/, (_, letter: string) => `/v1/%25${hex(letter)}`),
  (path) => path.replace('/v1/', '/v1/\xc0\xaf'),
  (path) => path.replace('/v1/', '/v1/%c0%af'),
  (path) => `http://127.0.0.1${path}`,
  (path) => `http://127.0.0.1/api/v1/health#${path}`,
]
const hex = (letter: string) => letter.charCodeAt(0).toString(16)

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

const guarded = routesOf(routes)
  .map(({ method, path }) => ({
    method,
    path,
    row: present([present(rows[`${method} ${path}`])].flat()[0]),
  }))
  .filter(({ row }) => row.needs !== 'public')

/** Returns the address of a request. */
function targetOf(route: string, { path = {}, query = {} }: Request): string {
  const filled = route.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(present(path[name])))
  const text = new URLSearchParams(query).toString()
  return `${prefix}${filled}${text && `?${text}`}`
}

test.each(guarded)(
  '$method $path accepts a credential only in its place',
  async ({ method, path, row }) => {
    const { world, request } = await stageOf(row)
    Object.assign(current, world.ports)
    const token = await callerOf(world, { role: 'admin' }, 'session')
    const { headers: own, body } = request
    const statusWith = async (headers: Record<string, string>) => {
      const given = { headers: { ...own, ...headers }, body }
      return (await ask(ofRow, method, targetOf(path, request), given)).status
    }
    const misplaced: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer ' },
      { Authorization: `Basic ${Buffer.from(`admin:${token}`).toString('base64')}` },
      { Cookie: `token=${token}; access_token=${token}` },
    ]
    for (const headers of misplaced) {
      expect(await statusWith(headers), JSON.stringify(headers)).toBe(401)
    }
    if (row.least === 'operator' || row.least === 'admin') {
      expect(await statusWith(bearer(await signIn(world.ports, 'viewer')))).toBe(403)
    }
    expect(await statusWith(bearer(token))).toBe(row.ok)
  },
  60_000,
)

/** Routes of each method, with and without a placeholder. */
const spelled: [string, string, unknown?][] = [
  ['GET', '/users'],
  ['GET', '/stacks/shop/config'],
  ['POST', '/roles', { name: 'new', permissions: [] }],
  ['POST', '/containers/parcel/stop'],
  ['PUT', '/roles/empty', { permissions: [] }],
  ['DELETE', '/stacks/barn'],
]

test.each(spelled)('no spelling of %s %s bypasses its check', async (method, path, body) => {
  const plain = prefix + path
  for (const spelling of spellings) {
    const target = spelling(plain)
    // As a viewer, who may read stacks.
    const denied = method === 'GET' ? [{}] : [{}, bearer(viewer)]
    for (const headers of denied) {
      const answer = await ask(listener, method, target, { headers, body })
      expect(isSuccess(answer), `${target}: ${answer.status}`).toBe(false)
    }
    if (method !== 'GET') continue
    // It is the credential that is missing, wherever an admin finds something.
    const shown = await send(method, target, bearer(admin))
    const hidden = await send(method, target)
    if (isSuccess(shown)) expect(hidden.status, target).toBe(401)
  }
  const allowed = await ask(listener, method, plain, { headers: bearer(admin), body })
  expect(isSuccess(allowed), `${plain}: ${allowed.body}`).toBe(true)
})

test('ignores a token in the query', async () => {
  for (const name of ['token', 'access_token', 'ticket', 'authorization', 'api_key']) {
    const answer = await send('GET', `${prefix}/users?${name}=${admin}`)
    expect(answer.status, name).toBe(401)
    expect(answer.body).not.toContain(admin)
  }
})

test.each([
  'X-Original-URL',
  'X-Rewrite-URL',
  'X-Forwarded-Uri',
  'X-Forwarded-Path',
  'X-Forwarded-Prefix',
  'X-Original-Uri',
  'Forwarded',
  'Referer',
])('%s selects no other route', async (name) => {
  for (const value of [`${prefix}/users`, `http://a${prefix}/users`, '/users']) {
    const answer = await send('GET', `${prefix}/health`, { [name]: value })
    expect([answer.status, JSON.parse(answer.body).status]).toEqual([200, 'ok'])
    expect((await send('GET', `${prefix}/users`, { [name]: `${prefix}/health` })).status).toBe(401)
  }
})

test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
  '%s does not change the method',
  async (name) => {
    const headers = { Authorization: `Bearer ${viewer}` }
    const read = await send('GET', `${prefix}/stacks/shop`, { ...headers, [name]: 'DELETE' })
    expect([read.status, JSON.parse(read.body).name]).toEqual([200, 'shop'])
    const deleted = await send('DELETE', `${prefix}/stacks/shop`, { ...headers, [name]: 'GET' })
    expect(deleted.status).toBe(403)
    expect((await send('GET', `${prefix}/stacks/shop?_method=DELETE`, headers)).status).toBe(400)
  },
)

test.each([
  { 'X-Forwarded-For': '127.0.0.1' },
  { 'X-Forwarded-Host': 'localhost' },
  { 'X-Real-IP': '127.0.0.1' },
  { 'X-Forwarded-User': 'admin' },
  { 'X-Remote-User': 'admin' },
  { 'X-Auth-User': 'admin' },
  { 'X-Auth-Request-Email': 'admin@example.org' },
  { Via: '1.1 localhost' },
])('%j is not a credential', async (headers) => {
  expect(
    (await send('GET', `${prefix}/users`, Object.fromEntries(Object.entries(headers)))).status,
  ).toBe(401)
})

test.each(['HEAD', 'OPTIONS', 'TRACE', 'PATCH', 'PROPFIND', 'get', 'GETX', 'SEARCH'])(
  'the method %s grants no access',
  async (method) => {
    const client = await rawClient(listener.port)
    client.write(`${method} ${prefix}/users HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(isSuccess(await client.answer('bodyless'))).toBe(false)
    client.socket.destroy()
  },
)

test('repeated or renamed headers grant no access', async () => {
  const good = `Authorization: Bearer ${admin}\r\n`
  const bad = `Authorization: Bearer ${viewer}\r\n`
  const attempt = (lines: string) =>
    exchange(listener.port, `GET ${prefix}/users HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
  for (const lines of [bad + good, good + bad, ` ${good}`, `Authorization : Bearer ${admin}\r\n`]) {
    expect(isSuccess(await attempt(lines)), lines).toBe(false)
  }
  expect(isSuccess(await attempt(`Proxy-${good}`))).toBe(false)
  expect(isSuccess(await attempt(good))).toBe(true)
})
