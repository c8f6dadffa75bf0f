import { expect, test } from 'vitest'
import { rawClient } from '../../testing/raw-http.ts'
import { expectError, fixtureRoutes, gate, listening } from './testing/listener.ts'

const get = (path: string) => `GET /api/v1${path} HTTP/1.1\r\nHost: a\r\n\r\n`

test('answers requests in progress and rejects new ones', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold) })
  const client = await rawClient(service.port)
  client.write(get('/waits'))
  await hold.inside
  const closed = service.close()
  await expect.poll(() => service.server.listening, { interval: 1 }).toBe(false)
  await expect(rawClient(service.port)).rejects.toThrow('refused')
  hold.open()
  expect(await client.answer()).toMatchObject({
    status: 200,
    body: '{"held":true}',
    headers: { connection: 'close' },
  })
  await closed
})

test('answers a request on a kept-alive connection during the grace period, then closes it', async () => {
  await using service = await listening({ limits: { grace: 60_000 } })
  const client = await rawClient(service.port)
  client.write(get('/hello'))
  expect((await client.answer()).headers.connection).not.toBe('close')
  const closed = service.close()
  client.write(get('/hello'))
  expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  await client.closed
  await closed
})

test('closes idle kept-alive connections', async () => {
  await using service = await listening()
  const client = await rawClient(service.port)
  client.write(get('/hello'))
  await client.answer()
  await service.close()
  await client.closed
})

test('loses none of many requests in flight', async () => {
  await using service = await listening({ limits: { grace: 1000 } })
  const clients = await Promise.all(Array.from({ length: 50 }, () => rawClient(service.port)))
  for (const client of clients) client.write(get('/hello').repeat(5))
  const answers = Promise.all(clients.map((client) => client.answer()))
  await service.close()
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set([200]))
})

test('drops what is left after the timeout', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold), limits: { drain: 20 } })
  const client = await rawClient(service.port)
  client.write(get('/waits'))
  await hold.inside
  await service.close()
  await client.closed
  expect(service.log.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: { count: 1 } }),
  )
  hold.open()
})

test('force drops connections at once', async () => {
  const hold = gate()
  await using service = await listening({ routes: fixtureRoutes(hold) })
  const client = await rawClient(service.port)
  client.write(get('/waits'))
  await hold.inside
  const force = new AbortController()
  const closed = service.close(force.signal)
  force.abort()
  await closed
  await client.closed
  hold.open()
})

test('500: opens no new feed', async () => {
  await using service = await listening({ limits: { grace: 60_000 }, onUpgrade: () => {} })
  const client = await rawClient(service.port)
  client.write(get('/hello'))
  await client.answer()
  const closed = service.close()
  client.write(
    'GET /api/v1/ws/events HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  const refused = await client.answer()
  expect(expectError(refused, 500)).toBe('the service is shutting down')
  expect(refused.headers).toMatchObject({ 'x-error-reason': 'overloaded', 'retry-after': '5' })
  await closed
})
