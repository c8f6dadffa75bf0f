import { expect, test } from 'vitest'
import { sourceReader } from '../../../functions/core/net/source.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { present } from '../../testing/present.ts'
import { exchange, rawClient } from '../../testing/raw-http.ts'
import {
  expectError,
  fixtureRoutes,
  gate,
  lineOf,
  listening,
  untilNoClients,
} from './testing/listener.ts'

const get = (path: string, more = '') => `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
const post = (path: string, body: string, more = '') =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`

test('200: has a request ID, the API headers and one log line', async () => {
  await using service = await listening()
  const token = await signIn(service.ports, { username: 'ann', role: 'viewer' })
  const answer = await exchange(
    service.port,
    get('/me?', `Authorization: Bearer ${token}\r\nX-Request-Id: a.b-c_1\r\n`),
  )
  expect(answer).toMatchObject({ status: 200, body: '{"username":"ann"}' })
  expect(answer.headers).toMatchObject({
    'x-request-id': 'a.b-c_1',
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-length': '18',
  })
  expect(await lineOf(service.log, 'a.b-c_1')).toEqual({
    request_id: 'a.b-c_1',
    method: 'GET',
    route: 'GET /me',
    path: '/api/v1/me',
    status: 200,
    ms: expect.any(Number),
    user: 'ann',
    bytes: 18,
  })
  expect(JSON.stringify(service.log.lines)).not.toContain(token)
})

test('200: the caller is the peer, unless that is a trusted proxy', async () => {
  const forwarded = 'X-Forwarded-For: 192.0.2.66\r\nX-Forwarded-For: 198.51.100.7:5\r\n'
  await using alone = await listening()
  const direct = await exchange(alone.port, get('/whence', forwarded))
  await using behind = await listening({ sourceOf: sourceReader('127.0.0.0/8') })
  const proxied = await exchange(behind.port, get('/whence', forwarded))
  expect([direct.body, proxied.body]).toEqual(['"127.0.0.1"', '"198.51.100.7"'])
})

test('200: decodes a parameter once', async () => {
  await using service = await listening()
  const answer = await exchange(service.port, post('/things/a%20%C3%BC%2541', '{"text":"x"}'))
  expect(JSON.parse(answer.body)).toEqual({ name: 'a ü%41', text: 'x' })
})

test('204: no body, no content type', async () => {
  await using service = await listening()
  const answer = await exchange(service.port, 'DELETE /api/v1/things/a HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(answer.status).toBe(204)
  expect(answer.headers).not.toHaveProperty('content-type')
  expect(answer.headers).not.toHaveProperty('content-length')
})

test('304: no body and no length', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(get('/same'))
  const answer = await client.answer('bodyless')
  expect(answer.status).toBe(304)
  expect(answer.headers).not.toHaveProperty('content-length')
  client.socket.destroy()
})

test('answers HEAD like GET without the body', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  const head = (path: string) => `HEAD /api/v1${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  client.write(head('/hello') + head('/nowhere') + get('/hello'))
  expect(await client.answer('bodyless')).toMatchObject({
    status: 200,
    headers: { 'content-length': '15' },
  })
  expect(await client.answer('bodyless')).toMatchObject({ status: 404 })
  expect(await client.answer()).toMatchObject({ body: '{"hello":"you"}' })
})

test.each([
  ['an ID with a space', 'a b'],
  ['one that is too long', 'a'.repeat(129)],
  ['an empty one', ''],
  ['two of them', 'a\r\nX-Request-Id: b'],
])('replaces an X-Request-Id: %s', async (_name, id) => {
  await using service = await listening()
  const answer = await exchange(service.port, get('/hello', `X-Request-Id: ${id}\r\n`))
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('404: unknown routes and wrong methods; lists the allowed methods', async () => {
  await using service = await listening()
  expect(expectError(await exchange(service.port, get('/nowhere')), 404)).toBe(
    'no such route: GET /api/v1/nowhere',
  )
  expectError(await exchange(service.port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'), 404)
  expectError(await exchange(service.port, get('/hello/')), 404)
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
    const answer = await exchange(
      service.port,
      `${method} /api/v1/hello HTTP/1.1\r\nHost: a\r\n\r\n`,
    )
    expect(expectError(answer, 404)).toContain('this path takes GET')
    expect(answer.headers.allow).toBe('GET')
    expect(await lineOf(service.log, answer.headers['x-request-id'])).toMatchObject({
      method,
      route: null,
      status: 404,
    })
  }
})

test.each([
  '/api/v1/things/a%2Fb',
  '/api/v1/things/..%5Cb',
  '/api/v1/things/..',
  '/api/v1/things/%2e%2E',
  '/api/v1/./hello',
  '/api/v1//hello',
  '//evil/api/v1/hello',
  '/api/v1/hello/../hello',
])('404: no handler sees %s', async (path) => {
  await using service = await listening()
  expectError(await exchange(service.port, `POST ${path} HTTP/1.1\r\nHost: a\r\n\r\n`), 404)
})

test('200: decodes slashes once for a route that accepts them', async () => {
  await using service = await listening()
  const put = (name: string) =>
    exchange(service.port, `PUT /api/v1/slashes/${name} HTTP/1.1\r\nHost: a\r\n\r\n`)
  for (const [sent, name] of [
    ['a%2Fb%3A1', 'a/b:1'],
    ['a%2fb%40sha256%3a0', 'a/b@sha256:0'],
    ['a%252Fb', 'a%2Fb'],
  ]) {
    const answer = await put(present(sent))
    expect([answer.status, JSON.parse(answer.body).name]).toEqual([200, name])
  }
  for (const sent of ['a%2F..%2Fb', '..%2Fa', '%2Fa', 'a%2F', 'a%2F%2Fb', 'a%2F.%2Fb', 'a%5Cb']) {
    expectError(await put(sent), 404)
  }
})

test.each([
  '/api/v1/things/a%00b',
  '/api/v1/things/a%0Ab',
  '/api/v1/things/%ff',
  '/api/v1/things/a%zz',
  '/api/v1/things/a\\b',
  '/api/v1/things/a"b',
  '*',
  'hello',
])('400: no handler sees %s', async (path) => {
  await using service = await listening()
  expectError(await exchange(service.port, `POST ${path} HTTP/1.1\r\nHost: a\r\n\r\n`), 400)
})

test('200: accepts an absolute target', async () => {
  await using service = await listening()
  const answer = await exchange(
    service.port,
    'GET http://evil/api/v1/hello?name=b HTTP/1.1\r\nHost: a\r\n\r\n',
  )
  expect(answer.body).toBe('{"hello":"b"}')
})

test.each([
  ['no Host', ''],
  ['two', 'Host: a\r\nHost: b\r\n'],
  ['an empty one', 'Host: \r\n'],
  ['an invalid one', 'Host: a/b@c\r\n'],
  ['an impossible address', 'Host: 1.2.3.999\r\n'],
  ['two credentials', 'Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n'],
  ['two lengths', 'Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n'],
  ['length and chunks', 'Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n'],
  ['a header without a name', 'Host: a\r\n: b\r\n'],
  ['a folded header', 'Host: a\r\nX-A: b\r\n c\r\n'],
  ['an expectation', 'Host: a\r\nExpect: tea\r\n'],
  ['large headers', `Host: a\r\nX-A: ${'a'.repeat(17_000)}\r\n`],
])('400: %s', async (_name, headers) => {
  await using service = await listening()
  const answer = await exchange(service.port, `GET /api/v1/hello HTTP/1.1\r\n${headers}\r\n`)
  expectError(answer, 400)
  expect(await lineOf(service.log, answer.headers['x-request-id'])).toMatchObject({ status: 400 })
})

test('200: accepts every kind of host', async () => {
  await using service = await listening()
  for (const host of ['a.b-c:80', '127.0.0.1:8080', '[::1]:8080', 'A_B']) {
    const answer = await exchange(
      service.port,
      `GET /api/v1/hello HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    )
    expect(answer.status, host).toBe(200)
  }
  expect((await exchange(service.port, 'GET /api/v1/hello HTTP/1.0\r\n\r\n')).status).toBe(200)
})

test.each(['GARBAGE\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])(
  '400: not HTTP/1.1 (%j)',
  async (text) => {
    await using service = await listening()
    const client = await rawClient(service.port)
    client.write(text)
    const answer = await client.answer()
    expectError(answer, 400)
    await client.closed
    expect(await lineOf(service.log, answer.headers['x-request-id'])).toMatchObject({
      method: null,
      status: 400,
    })
  },
)

test('404: CONNECT', async () => {
  await using service = await listening()
  const answer = await exchange(service.port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(expectError(answer, 404)).toBe('the service is not a proxy')
})

test('409: an error of a handler; 500: logs the cause of an unexpected error', async () => {
  await using service = await listening()
  expect(expectError(await exchange(service.port, get('/conflict')), 409)).toBe('it is so')
  for (const path of ['/broken', '/unloadable']) {
    const answer = await exchange(service.port, get(path))
    expect(expectError(answer, 500)).toBe('the service failed to answer this request')
    const line = await lineOf(service.log, answer.headers['x-request-id'])
    expect(line.error).toMatchObject({ message: 'secret cause' })
  }
})

test('409: logs the message of the Engine, but does not return it', async () => {
  await using service = await listening()
  const answer = await exchange(service.port, get('/conflict'))
  expect(JSON.stringify(answer)).not.toContain('as the Engine says it')
  const line = await lineOf(service.log, answer.headers['x-request-id'])
  expect(line).toMatchObject({ status: 409, detail: 'as the Engine says it' })
})

test.each([
  ['/conflict', 409, 'conflict', 'info'],
  ['/no-image', 404, 'registry-refused', 'warn'],
  ['/away', 500, 'host-offline', 'warn'],
  ['/broken', 500, 'internal', 'error'],
])('%s: %i sends the reason %s and logs it on level %s', async (path, status, reason, level) => {
  await using service = await listening()
  const answer = await exchange(service.port, get(path))
  expectError(answer, status)
  expect(answer.headers['x-error-reason']).toBe(reason)
  const id = answer.headers['x-request-id']
  expect(await lineOf(service.log, id)).toMatchObject({ status, reason })
  const line = service.log.lines.find(({ fields }) => fields.request_id === id)
  expect(line?.level).toBe(level)
})

test('logs a connection that the kernel cannot accept and serves the next one', async () => {
  await using service = await listening()
  service.server.emit('error', new Error('accept ENOBUFS'))
  expect((await exchange(service.port, get('/hello'))).status).toBe(200)
  expect(service.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', message: 'a connection could not be accepted' }),
  )
})

test('500: the handler does not respond in time', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold), limits: { handler: 20 } })
  const answer = await exchange(service.port, get('/held'))
  expect(expectError(answer, 500)).toBe('the service did not respond in time')
  hold.open()
})

test('200: a waiting route has no timeout', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold), limits: { handler: 1 } })
  const client = await rawClient(service.port)
  client.write(get('/waits'))
  await hold.inside
  const other = await exchange(service.port, get('/hello'))
  hold.open()
  expect([other.status, (await client.answer()).status]).toEqual([200, 200])
})

test('answers pipelined requests in order', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(Array.from({ length: 50 }, (_, index) => get(`/hello?name=${index}`)).join(''))
  for (let index = 0; index < 50; index += 1) {
    expect((await client.answer()).body).toBe(`{"hello":"${index}"}`)
  }
  client.write(get('/hello'))
  expect((await client.answer()).status).toBe(200)
  client.socket.destroy()
})

test('400: answers garbage after a request in order', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold) })
  const client = await rawClient(service.port)
  client.write(`${get('/waits')}GARBAGE\r\n\r\n`)
  await hold.inside
  hold.open()
  expect((await client.answer()).body).toBe('{"held":true}')
  expectError(await client.answer(), 400)
  await client.closed
})

test('logs one line and no error for a client that disconnects', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold) })
  const client = await rawClient(service.port)
  client.write(get('/waits', 'X-Request-Id: gone\r\n'))
  await hold.inside
  client.socket.resetAndDestroy()
  await untilNoClients(service)
  hold.open()
  const line = await lineOf(service.log, 'gone')
  expect(line).toMatchObject({ status: null })
  expect(line).not.toHaveProperty('error')
})

test('serves a thousand concurrent connections', async () => {
  await using service = await listening()
  const clients = await Promise.all(Array.from({ length: 1000 }, () => rawClient(service.port)))
  for (const client of clients) client.write(get('/hello'))
  const answers = await Promise.all(clients.map((client) => client.answer()))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(1000)
  for (const { socket } of clients) socket.destroy()
})
