import { expect, test } from 'vitest'
import { toEvent } from './event.ts'
import { gatewayEvent } from './testing/gateway-event.ts'

const eventOf = (changes: Parameters<typeof gatewayEvent>[0]) =>
  toEvent(gatewayEvent(changes), '/api/v1')

test('takes the fields that handlers read, and the route without the prefix', () => {
  expect(eventOf({ pathParameters: { name: 'shop' } })).toEqual({
    routeKey: 'GET /stacks/{name}',
    rawPath: '/api/v1/stacks/shop',
    rawQueryString: '',
    headers: { accept: 'application/json', 'x-forwarded-for': '192.0.2.7' },
    pathParameters: { name: 'shop' },
    body: undefined,
    isBase64Encoded: false,
    requestContext: {
      requestId: 'JKJaXmPLvHcESHA=',
      http: {
        method: 'GET',
        path: '/api/v1/stacks/shop',
        sourceIp: '192.0.2.7',
        userAgent: 'agent/1',
      },
    },
  })
})

test('joins the cookies, which the gateway keeps apart from the headers', () => {
  expect(eventOf({ cookies: ['a=1', 'b=2; c'] }).headers.cookie).toBe('a=1; b=2; c')
  expect('cookie' in eventOf({}).headers).toBe(false)
})

test('keeps repeated query parameters and their encoding', () => {
  const rawQueryString = 'tag=a%20b&tag=c&x=%2F'
  expect(eventOf({ rawQueryString }).rawQueryString).toBe(rawQueryString)
})

test('keeps a repeated header as the gateway has joined it', () => {
  expect(eventOf({ headers: { 'x-tag': 'a,b' } }).headers).toEqual({ 'x-tag': 'a,b' })
})

test('keeps path and parameters decoded, as the gateway sends them', () => {
  const given = { rawPath: '/api/v1/stacks/a b%41', pathParameters: { name: 'a b%41' } }
  expect(eventOf(given)).toMatchObject(given)
})

test('keeps a body in base64', () => {
  const given = { body: Buffer.from('{"ü":1}').toString('base64'), isBase64Encoded: true }
  expect(eventOf(given)).toMatchObject(given)
})

test('takes the request ID of the client if it is a valid one', () => {
  const idFor = (sent: string) =>
    eventOf({ headers: { 'x-request-id': sent } }).requestContext.requestId
  expect(idFor('a.b-c_1')).toBe('a.b-c_1')
  expect(idFor('a b')).toBe('JKJaXmPLvHcESHA=')
  expect(idFor('first,second')).toBe('JKJaXmPLvHcESHA=')
})

test('a client without a user agent has an empty one', () => {
  const { requestContext } = gatewayEvent()
  const http = { ...requestContext.http, userAgent: undefined }
  const event = eventOf({ requestContext: { ...requestContext, http } })
  expect(event.requestContext.http.userAgent).toBe('')
})
