import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../functions/kit/endpoint.ts'
import type { HttpEvent } from '../../../functions/kit/event.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { forwardedRequests } from './forwarded.ts'

const never = new AbortController().signal

function world(run: () => Promise<string> = async () => 'done') {
  const made = endpoint({
    summary: 'One',
    access: 'signed-in',
    returns: z.string(),
    run: async () => run(),
  })
  const ports = memoryPorts()
  const log = memoryLog()
  const routes = { 'GET    /things': async () => ({ default: made }) }
  return { ports, log, forwarded: forwardedRequests(routes, ports, log) }
}

const eventOf = (token: string, routeKey = 'GET /things'): HttpEvent => ({
  routeKey,
  rawPath: '/api/v1/things',
  rawQueryString: '',
  headers: { authorization: `Bearer ${token}` },
  isBase64Encoded: false,
  requestContext: {
    requestId: 'of-this-test',
    http: { method: 'GET', path: '/api/v1/things', sourceIp: '192.0.2.7', userAgent: '' },
  },
})

test('200: carries out the request of an authenticated caller, with one log line', async () => {
  const { ports, log, forwarded } = world()
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  expect(await forwarded.carryOut(eventOf(token), never)).toMatchObject({
    statusCode: 200,
    body: '"done"',
  })
  expect(log.lines).toMatchObject([{ fields: { request_id: 'of-this-test', user: 'ann' } }])
})

test('401: checks the credential itself', async () => {
  const { forwarded } = world()
  expect(await forwarded.carryOut(eventOf('wrong'), never)).toMatchObject({ statusCode: 401 })
})

test('404: a route that only another version has', async () => {
  const { forwarded } = world()
  const response = await forwarded.carryOut(eventOf('x', 'GET /new'), never)
  expect(response).toMatchObject({ statusCode: 404 })
})

test('closing waits for requests in progress and refuses further ones', async () => {
  let release = (_: string) => {}
  const held = new Promise<string>((resolve) => {
    release = resolve
  })
  let enter = () => {}
  const entered = new Promise<void>((resolve) => {
    enter = resolve
  })
  const { ports, forwarded } = world(() => {
    enter()
    return held
  })
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  const order: string[] = []
  const first = forwarded.carryOut(eventOf(token), never).then(() => order.push('response'))
  await entered
  const closed = forwarded.close().then(() => order.push('closed'))
  expect(await forwarded.carryOut(eventOf(token), never)).toMatchObject({ statusCode: 500 })
  release('late')
  await Promise.all([first, closed])
  expect(order).toEqual(['response', 'closed'])
})

test('closing by force does not wait', async () => {
  const { ports, forwarded } = world(() => new Promise(() => {}))
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  void forwarded.carryOut(eventOf(token), never)
  await forwarded.close(AbortSignal.abort())
})
