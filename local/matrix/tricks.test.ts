import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../adapters/node/http/listen.ts'
import { memoryLog } from '../../adapters/testing/memory/log.ts'
import { routesOf } from '../../functions/kit/manifest.ts'
import { prefix, routes } from '../../serverless.ts'
import { present } from '../harness/present.ts'
import { exchange, type RawAnswer, rawClient } from '../harness/raw-http.ts'
import { signIn } from '../harness/sign-in.ts'
import { matrixWorld } from './matrix-world.ts'
import { rows } from './rows.ts'

let listener: Listener
let viewer: string
let admin: string

beforeAll(async () => {
  const { ports } = await matrixWorld(undefined)
  listener = await listen({ routes, prefix, ports, log: memoryLog(), port: 0, host: '127.0.0.1' })
  viewer = await signIn(ports, 'viewer')
  admin = await signIn(ports, 'admin')
})
afterAll(() => listener.close(AbortSignal.abort()))

const send = (method: string, target: string, headers: Record<string, string> = {}) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${target} HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`
  return exchange(listener.port, Buffer.from(text, 'latin1'))
}

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

const guarded = routesOf(routes)
  .map(({ method, path }) => ({
    method,
    path,
    row: present([present(rows[`${method} ${path}`])].flat()[0]),
  }))
  .filter(({ row }) => row.needs !== 'public')
const filled = (path: string) =>
  prefix + path.replace(/\{(\w+)\}/g, (_, name) => (name === 'n' ? '0' : 'shop'))

test.each(guarded)(
  'no spelling of $method $path bypasses its check',
  async (line) => {
    const { method, path, row } = line
    const credentials: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer ' },
      { Authorization: `Basic ${Buffer.from(`admin:${admin}`).toString('base64')}` },
      { Cookie: `token=${admin}; access_token=${admin}` },
      ...(row.least === 'operator' || row.least === 'admin'
        ? [{ Authorization: `Bearer ${viewer}` }]
        : []),
    ]
    const [first, ...others] = credentials
    for (const spelling of spellings) {
      const target = spelling(filled(path))
      for (const headers of [present(first), ...others.slice(-1)]) {
        const answer = await send(method, target, headers)
        const shown = `${method} ${target} ${JSON.stringify(headers).slice(0, 30)}: ${answer.status}`
        expect(isSuccess(answer), shown).toBe(
          target.includes('/health#') ? isSuccess(answer) : false,
        )
        if (isSuccess(answer)) expect(answer.body).toContain('"status"')
      }
    }
    for (const headers of credentials) {
      expect(isSuccess(await send(method, filled(path), headers))).toBe(false)
    }
  },
  60_000,
)

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
  const ask = (lines: string) =>
    exchange(listener.port, `GET ${prefix}/users HTTP/1.1\r\nHost: a\r\n${lines}\r\n`)
  for (const lines of [bad + good, good + bad, ` ${good}`, `Authorization : Bearer ${admin}\r\n`]) {
    expect(isSuccess(await ask(lines)), lines).toBe(false)
  }
  expect(isSuccess(await ask(`Proxy-${good}`))).toBe(false)
  expect(isSuccess(await ask(good))).toBe(true)
})
