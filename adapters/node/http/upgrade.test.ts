import { expect, test } from 'vitest'
import { forbidden, internalError } from '../../../functions/core/errors.ts'
import { exchange, rawClient } from '../../testing/raw-http.ts'
import { expectError, gate, lineOf, listening, untilNoClients } from './testing/listener.ts'

const upgrade = (path: string, more = '') =>
  `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${more}\r\n`

test('404: no feed server; does not log the ticket', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(upgrade('/ws/events?ticket=secret', 'X-Request-Id: up-1\r\n'))
  const answer = await client.answer()
  expect(expectError(answer, 404)).toBe('this process serves no feeds: its role is api')
  expect(answer.headers).toMatchObject({ 'x-request-id': 'up-1', connection: 'close' })
  await client.closed
  expect(await lineOf(service.log, 'up-1')).toMatchObject({
    method: 'GET',
    path: '/api/v1/ws/events',
    status: 404,
  })
  expect(JSON.stringify(service.log.lines)).not.toContain('secret')
})

test('500: a failed upgrade has its reason, and one for a host is a warning', async () => {
  await using service = await listening({
    async onUpgrade() {
      throw internalError('its agent is offline', { reason: 'host-offline' })
    },
  })
  const answer = await exchange(service.port, upgrade('/ws/events', 'X-Request-Id: off\r\n'))
  expectError(answer, 500)
  expect(answer.headers['x-error-reason']).toBe('host-offline')
  expect(await lineOf(service.log, 'off')).toMatchObject({ reason: 'host-offline' })
  expect(service.log.lines.map(({ level }) => level)).toEqual(['warn'])
})

test('403, 500, 404, 400: a rejected upgrade, a failed one, and ones that never reach the feeds', async () => {
  await using service = await listening({
    async onUpgrade(request) {
      if (request.url?.includes('broken')) throw new Error('secret cause')
      throw forbidden('not for you')
    },
  })
  expect(expectError(await exchange(service.port, upgrade('/ws/events')), 403)).toBe('not for you')
  const broken = await exchange(service.port, upgrade('/ws/broken'))
  expect(expectError(broken, 500)).not.toContain('secret')
  expect((await lineOf(service.log, broken.headers['x-request-id'])).error).toMatchObject({
    message: 'secret cause',
  })
  expectError(await exchange(service.port, upgrade('/ws/logs/a%2Fb')), 404)
  const twice = await exchange(service.port, upgrade('/ws/events', 'Host: b\r\n'))
  expectError(twice, 400)
})

test('101: logs a line for an upgraded connection', async () => {
  await using service = await listening({
    onUpgrade(_request, socket, _head, taken) {
      const closed = taken.accept('WS /ws/events', 'ann')
      socket.on('close', () => closed({ code: 1000, bytes: 12 }))
      socket.end('HTTP/1.1 101 Switching Protocols\r\nContent-Length: 0\r\n\r\n')
    },
  })
  const answer = await exchange(service.port, upgrade('/ws/events', 'X-Request-Id: up-2\r\n'))
  expect(answer.status).toBe(101)
  expect(await lineOf(service.log, 'up-2')).toMatchObject({
    status: 101,
    route: 'WS /ws/events',
    user: 'ann',
    close_code: 1000,
    bytes: 12,
  })
})

test('a reset during the decision of the feeds ends only that connection', async () => {
  const hold = gate()
  await using service = await listening({
    async onUpgrade() {
      await hold.pass()
      throw forbidden('too late')
    },
  })
  const client = await rawClient(service.port)
  client.write(upgrade('/ws/events', 'X-Request-Id: reset\r\n'))
  await hold.inside
  client.socket.resetAndDestroy()
  await untilNoClients(service)
  hold.open()
  expect(await lineOf(service.log, 'reset')).toMatchObject({ status: null })
  expect((await fetch(`${service.url}/hello`)).status).toBe(200)
})

test('200: ignores an offer of HTTP/2, with and without a body, and keeps the connection', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  const offer =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  client.write(`GET /api/v1/hello HTTP/1.1\r\nHost: a\r\n${offer}\r\n`)
  expect(await client.answer()).toMatchObject({ status: 200, body: '{"hello":"you"}' })
  const body = '{"text":"x"}'
  client.write(
    `POST /api/v1/things/a HTTP/1.1\r\nHost: a\r\n${offer}Content-Type: application/json\r\nContent-Length: 12\r\n\r\n${body}`,
  )
  expect(await client.answer()).toMatchObject({ status: 200, body: '{"name":"a","text":"x"}' })
  client.write('GET /api/v1/hello HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(await client.answer()).toMatchObject({ status: 200 })
  client.socket.destroy()
})
