import { expect, test } from 'vitest'
import { toGatewayResponse } from './response.ts'

test('status, headers and body are as they are', () => {
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': 'r' }
  expect(toGatewayResponse({ statusCode: 201, headers, body: '{"ü":1}' })).toEqual({
    statusCode: 201,
    headers,
    body: '{"ü":1}',
    isBase64Encoded: false,
  })
})

test('a cookie is apart from the headers', () => {
  const cookie = 'session=1; Path=/api; HttpOnly; Expires=Thu, 01 Jan 2026 00:00:00 GMT'
  const headers = { 'X-Request-Id': 'r', 'Set-Cookie': cookie }
  expect(toGatewayResponse({ statusCode: 204, headers, body: '' })).toEqual({
    statusCode: 204,
    headers: { 'X-Request-Id': 'r' },
    cookies: [cookie],
    body: '',
    isBase64Encoded: false,
  })
})
