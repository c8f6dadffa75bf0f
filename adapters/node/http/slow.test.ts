import { expect, test } from 'vitest'
import { exchange, rawClient } from '../../testing/raw-http.ts'
import {
  expectError,
  fixtureRoutes,
  gate,
  lineOf,
  listening,
  untilNoClients,
} from './testing/listener.ts'

const head = (more: string) =>
  `POST /api/v1/things/a HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${more}\r\n`
const whole = '{"text":"x"}'

test('400: the request head never ends', async () => {
  await using service = await listening({ limits: { headers: 50 } })
  const client = await rawClient(service.port)
  client.write('GET /api/v1/hello HTTP/1.1\r\nHost: a\r\nX-A: ')
  const answer = await client.answer()
  expect(expectError(answer, 400)).toBe('the request did not arrive in time')
  await client.closed
  await lineOf(service.log, answer.headers['x-request-id'])
})

test('closes a silent connection without a response', async () => {
  await using service = await listening({ limits: { headers: 50 } })
  const client = await rawClient(service.port)
  await client.closed
  await expect(client.answer()).rejects.toThrow('ended after ""')
  expect(service.log.lines).toEqual([])
})

test('400: the body never ends; closes the connection', async () => {
  await using service = await listening({ limits: { body: 50, linger: 50 } })
  const client = await rawClient(service.port)
  client.write(`${head('Content-Length: 12\r\n')}{"te`)
  const answer = await client.answer()
  expect(expectError(answer, 400)).toBe('the body did not arrive in time')
  expect(answer.headers.connection).toBe('close')
  await client.closed
})

test('400: the declared length is too large; does not read the body', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(head('Content-Length: 1025\r\nExpect: 100-continue\r\n'))
  const answer = await client.answer()
  expect(expectError(answer, 400)).toBe('the body is larger than 1024 bytes')
  expect(answer.headers.connection).toBe('close')
  client.socket.destroy()
})

test('400: the body turns out too large; the client can read the response', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(head('Transfer-Encoding: chunked\r\n'))
  const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
  for (let count = 0; count < 40; count += 1) client.write(chunk)
  const answer = await client.answer()
  expect(expectError(answer, 400)).toBe('the body is larger than 1024 bytes')
  client.write('0\r\n\r\n')
  await client.closed
})

test('200: a body of exactly the limit, in many pieces', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  const body = JSON.stringify({ text: 'ü'.repeat(506) })
  expect(Buffer.byteLength(body)).toBe(1023)
  client.write(head('Transfer-Encoding: chunked\r\n'))
  for (const byte of Buffer.from(`${body} `)) {
    client.write(Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
  }
  client.write('0\r\n\r\n')
  expect(await client.answer()).toMatchObject({ status: 200 })
  client.socket.destroy()
})

test('100: sends one 100 Continue to a client that asks for it', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(head('Content-Length: 12\r\nExpect: 100-continue\r\n'))
  expect((await client.answer()).status).toBe(100)
  client.write(whole)
  expect((await client.answer()).status).toBe(200)
  client.socket.destroy()
})

test.each([
  ['an invalid chunk', 'Transfer-Encoding: chunked\r\n', 'zz\r\n'],
  ['bytes that are not UTF-8', 'Content-Length: 12\r\n', '{"text":"\xff"}'],
  ['a NUL instead of JSON', 'Content-Length: 1\r\n', '\0'],
])('400: %s', async (_name, more, body) => {
  await using service = await listening()
  expectError(await exchange(service.port, Buffer.from(head(more) + body, 'latin1')), 400)
})

test('logs one line and no error for a client that disconnects during the body', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(head('Content-Length: 12\r\nX-Request-Id: gone\r\n'))
  client.write('{"te')
  await expect.poll(() => client.socket.bytesWritten > 100 && client.socket.writableLength).toBe(0)
  client.socket.resetAndDestroy()
  await untilNoClients(service)
  const line = await lineOf(service.log, 'gone')
  expect(line).toMatchObject({ status: null, route: 'POST /things/{name}' })
  expect(line).not.toHaveProperty('error')
})

test('closes a connection without a next request', async () => {
  await using service = await listening({ limits: { keepAlive: 20 } })
  const client = await rawClient(service.port)
  client.write('GET /api/v1/hello HTTP/1.1\r\nHost: a\r\n\r\n')
  expect((await client.answer()).status).toBe(200)
  await client.closed
})

test('drops a client that does not read its response', async () => {
  await using service = await listening({ limits: { send: 50 } })
  const client = await rawClient(service.port)
  client.socket.pause()
  client.write('GET /api/v1/large HTTP/1.1\r\nHost: a\r\nX-Request-Id: slow\r\n\r\n')
  await untilNoClients(service)
  expect(await lineOf(service.log, 'slow')).toMatchObject({ status: 200 })
  client.socket.destroy()
})

test('a disconnect aborts the work of the request', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold) })
  const client = await rawClient(service.port)
  client.write('GET /api/v1/leave HTTP/1.1\r\nHost: a\r\nX-Request-Id: left\r\n\r\n')
  await hold.inside
  client.socket.resetAndDestroy()
  expect(await lineOf(service.log, 'left')).toMatchObject({
    status: null,
    error: { message: 'the client disconnected before the response was complete' },
  })
})
