import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '../../../functions/kit/endpoint.ts'
import type { HttpEvent } from '../../../functions/kit/event.ts'
import { signIn } from '../../../local/harness/sign-in.ts'
import { memoryLog } from '../../testing/memory/log.ts'
import { memoryPorts } from '../../testing/memory/stores.ts'
import { carrier, forwardedRequests } from './forwarded-requests.ts'
import { gate } from './testing/listener.ts'

const never = new AbortController().signal
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

function world(run: () => Promise<string> = async () => 'done') {
  const summary = 'One'
  const access = 'signed-in'
  const made = endpoint({ summary, access, atService: true, returns: z.string(), run })
  const other = endpoint({ summary, access, returns: z.string(), run })
  const ports = memoryPorts()
  const log = memoryLog()
  const routes = {
    'GET    /things': async () => ({ default: made }),
    'GET    /others': async () => ({ default: other }),
  }
  return { ports, log, routes }
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
  const { ports, log, routes } = world()
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  const response = await carrier(routes, ports, log)(eventOf(token), never)
  expect(response).toMatchObject({ statusCode: 200, body: '"done"' })
  expect(log.lines).toMatchObject([{ fields: { request_id: 'of-this-test', user: 'ann' } }])
})

test('401: checks the credential itself', async () => {
  const { ports, log, routes } = world()
  const response = await carrier(routes, ports, log)(eventOf('wrong'), never)
  expect(response).toMatchObject({ statusCode: 401 })
})

test.each(['GET /others', 'GET /new'])('404: %s, which does not need a service', async (route) => {
  const { ports, log, routes } = world()
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  const response = await carrier(routes, ports, log)(eventOf(token, route), never)
  expect(response).toMatchObject({ statusCode: 404 })
})

/** Serves forwarded requests over HTTP. `send` returns the status and the body of a response. */
async function served(run: () => Promise<string>) {
  const { ports, log, routes } = world(run)
  const forwarded = forwardedRequests(routes, ports, log)
  const server = createServer((incoming, outgoing) => forwarded.take(incoming, outgoing))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  const send = async () => {
    const body = JSON.stringify(eventOf(token))
    const response = await fetch(`http://127.0.0.1:${port}/requests`, { method: 'POST', body })
    return { status: response.status, body: await response.text() }
  }
  return { forwarded, send }
}

test('closing waits until the responses are sent, and further requests are not taken', async () => {
  const hold = gate()
  const long = 'x'.repeat(3_000_000)
  const { forwarded, send } = await served(async () => {
    await hold.pass()
    return long
  })
  let isClosed = false
  const first = send()
  await hold.inside
  const closed = forwarded.close().then(() => {
    isClosed = true
  })
  expect(await send()).toMatchObject({ status: 503 })
  expect(isClosed).toBe(false)
  hold.open()
  const { status, body } = await first
  await closed
  expect([status, JSON.parse(JSON.parse(body).body).length]).toEqual([200, long.length])
})

test('force ends the wait', async () => {
  const hold = gate()
  const { forwarded, send } = await served(async () => {
    await hold.pass()
    return ''
  })
  const lost = send().catch(() => 'lost')
  await hold.inside
  const force = new AbortController()
  const closed = forwarded.close(force.signal)
  force.abort()
  await closed
  ends.push(() => lost)
})
