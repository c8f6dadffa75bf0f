import { expect, test } from 'vitest'
import { routes } from '../../../serverless.ts'
import { exchange, rawClient } from '../../testing/raw-http.ts'
import { expectError, lineOf, listening } from './testing/listener.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const request = (path: string, accept?: string, method = 'GET') =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\n${accept === undefined ? '' : `Accept: ${accept}\r\n`}\r\n`

test.each([
  ['/', browser, 'api/v1/docs'],
  ['/', 'TEXT/HTML ; charset=utf-8', 'api/v1/docs'],
  ['/?utm=1', browser, 'api/v1/docs'],
  ['/api/v1', undefined, 'v1/docs'],
  ['/api/v1', '*/*', 'v1/docs'],
  ['/api/v1?x=1', browser, 'v1/docs'],
])('302: GET %s with Accept: %s leads to the explorer', async (path, accept, location) => {
  await using service = await listening({ routes })
  const answer = await exchange(service.port, request(path, accept))
  expect(answer).toMatchObject({ status: 302, body: '', headers: { location } })
  expect(answer.headers).not.toHaveProperty('content-type')
  expect(new URL(location, `http://a${path}`).pathname).toBe('/api/v1/docs')
  expect(await lineOf(service.log, answer.headers['x-request-id'])).toMatchObject({ status: 302 })
})

test('302: HEAD has the same headers; the explorer is there', async () => {
  await using service = await listening({ routes })
  const client = await rawClient(service.port)
  client.write(request('/', browser, 'HEAD') + request('/api/v1/docs', browser, 'HEAD'))
  expect(await client.answer('bodyless')).toMatchObject({
    status: 302,
    headers: { location: 'api/v1/docs' },
  })
  expect((await client.answer('bodyless')).status).not.toBe(302)
  client.socket.destroy()
})

test.each([
  ['/', undefined, 'GET'],
  ['/', '*/*', 'GET'],
  ['/', 'application/json, text/*;q=0.5', 'GET'],
  ['/', 'text/html;q=0, */*', 'GET'],
  ['/', 'text/html;q=0.000', 'GET'],
  ['/', 'text/htmlx', 'GET'],
  ['/', browser, 'POST'],
  ['/api/v1', browser, 'POST'],
  ['/api/v1/', browser, 'GET'],
  ['/api', browser, 'GET'],
  ['/index.html', browser, 'GET'],
  ['//', browser, 'GET'],
])('404: %s with Accept: %s by %s', async (path, accept, method) => {
  await using service = await listening({ routes })
  const answer = await exchange(service.port, request(path, accept, method))
  expect(expectError(answer, 404)).toMatch(/^no (such )?route/)
})

test('404: does not redirect if the process serves no explorer', async () => {
  await using service = await listening()
  expectError(await exchange(service.port, request('/', browser)), 404)
  expectError(await exchange(service.port, request('/api/v1')), 404)
})
