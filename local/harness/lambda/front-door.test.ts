import { expect, onTestFinished, test } from 'vitest'
import type { GatewayEvent } from '../../../adapters/lambda/event.ts'
import { exchange } from '../../../adapters/testing/raw-http.ts'
import { openFrontDoor } from './front-door.ts'
import type { Ended } from './runtime-api.ts'

/** Returns an HTTP API with two routes that keeps the events that it sends. */
async function door(ended?: Ended) {
  const events: GatewayEvent[] = []
  const usual = { statusCode: 200, headers: {}, body: 'done', isBase64Encoded: false }
  const call = async (event: string) => {
    events.push(JSON.parse(event))
    return ended ?? { response: JSON.stringify(usual) }
  }
  const { url, close } = await openFrontDoor(
    new Map([
      ['GET /things/{id}', call],
      ['POST /things', call],
    ]),
  )
  onTestFinished(close)
  const send = (head: string, body = '') =>
    exchange(
      Number(new URL(url).port),
      `${head}\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  return { events, send }
}

test('an event has the path decoded once, and parameters twice', async () => {
  const { events, send } = await door()
  await send('GET /things/a%20%C3%BC%252Fb HTTP/1.1')
  expect(events[0]).toMatchObject({
    routeKey: 'GET /things/{id}',
    rawPath: '/things/a ü%2Fb',
    pathParameters: { id: 'a ü/b' },
  })
})

test('an encoded slash makes another path', async () => {
  const { events, send } = await door()
  const { status, body } = await send('GET /things/a%2Fb HTTP/1.1')
  expect([status, body, events]).toEqual([404, '{"message":"Not Found"}', []])
})

test('an event has the query as sent, cookies apart, and repeated headers joined', async () => {
  const { events, send } = await door()
  await send(
    'GET /things/a?x=1&x=%2F HTTP/1.1\r\nCookie: a=1; b=2\r\nX-Tag: a\r\nX-TAG: b\r\nX-Forwarded-For: 192.0.2.1',
  )
  expect(events[0]).toMatchObject({
    rawQueryString: 'x=1&x=%2F',
    cookies: ['a=1', 'b=2'],
    headers: { 'x-tag': 'a,b', 'x-forwarded-for': expect.stringMatching(/^192\.0\.2\.1, .+1$/) },
  })
  expect(events[0]?.headers).not.toHaveProperty('cookie')
})

test('a body is text or in base64, by its content type', async () => {
  const { events, send } = await door()
  await send('POST /things HTTP/1.1\r\nContent-Type: application/json; charset=utf-8', '"ü"')
  await send('POST /things HTTP/1.1\r\nContent-Type: application/octet-stream', 'ü')
  expect(events).toMatchObject([
    { body: '"ü"', isBase64Encoded: false },
    { body: Buffer.from('ü').toString('base64'), isBase64Encoded: true },
  ])
})

test('a response has its status, headers and cookies', async () => {
  const response = {
    statusCode: 201,
    headers: { 'X-A': '1' },
    cookies: ['a=1; Path=/', 'b=2'],
    body: '{}',
    isBase64Encoded: false,
  }
  const { send } = await door({ response: JSON.stringify(response) })
  const answer = await send('POST /things HTTP/1.1')
  expect(answer).toMatchObject({ status: 201, body: '{}', headers: { 'x-a': '1' } })
  expect(answer.head.match(/^set-cookie: .*$/gim)).toEqual([
    'set-cookie: a=1; Path=/',
    'set-cookie: b=2',
  ])
})

test('500: a function failed', async () => {
  const { send } = await door({ error: 'Task timed out' })
  expect((await send('POST /things HTTP/1.1')).status).toBe(500)
})
