import { expect, test } from 'vitest'
import { z } from 'zod'
import { sourceReader } from '../../functions/core/net/source.ts'
import { type AnyEndpoint, endpoint } from '../../functions/kit/endpoint.ts'
import type { HttpEvent } from '../../functions/kit/event.ts'
import type { Routes } from '../../functions/kit/manifest.ts'
import { signIn } from '../../local/harness/sign-in.ts'
import { memoryLog } from '../testing/memory/log.ts'
import { memoryPorts } from '../testing/memory/stores.ts'
import { type FunctionOptions, gatewayHandler } from './handler.ts'
import { gatewayEvent } from './testing/gateway-event.ts'

const of = (made: AnyEndpoint) => async () => ({ default: made })
const text = z.any()

/** Returns a promise and the function that resolves it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

function routesFor(hold = gate()): Routes {
  const named = { access: 'public', path: z.object({ id: z.string() }), returns: text } as const
  return {
    'GET    /things/{id}': of(
      endpoint({
        ...named,
        summary: 'One',
        run: ({ path, request }) => ({ ...path, ip: request.ip }),
      }),
    ),
    'DELETE /images/{id}': of(
      endpoint({ ...named, summary: 'Two', encodedSlashes: true, run: ({ path }) => path }),
    ),
    'POST   /things': of(
      endpoint({
        summary: 'Three',
        access: 'public',
        body: z.strictObject({ text: z.string() }),
        returns: text,
        run: ({ body }) => body,
      }),
    ),
    'GET    /me': of(
      endpoint({
        summary: 'Four',
        access: 'signed-in',
        returns: text,
        run: ({ caller }) => caller.account.username,
      }),
    ),
    'GET    /held': of(
      endpoint({ summary: 'Five', access: 'public', returns: text, run: () => hold.opened }),
    ),
    'POST   /deploys': of(
      endpoint({
        summary: 'Seven',
        access: 'public',
        atService: true,
        query: z.object({ wait: z.string().default('true'), tail: z.string().optional() }),
        returns: text,
        run: () => 'here',
      }),
    ),
    'GET    /held-engine': of(
      endpoint({
        summary: 'Eight',
        access: 'signed-in',
        atService: true,
        returns: text,
        run: () => 'here',
      }),
    ),
    'GET    /broken': of(
      endpoint({
        summary: 'Six',
        access: 'public',
        run: () => {
          throw new TypeError('a secret')
        },
      }),
    ),
  }
}

const minute = { getRemainingTimeInMillis: () => 60_000 }

function functionOf(options: Partial<FunctionOptions> = {}) {
  const ports = memoryPorts()
  const log = memoryLog()
  const handler = gatewayHandler({
    routes: routesFor(),
    prefix: '/api/v1',
    ports,
    log,
    sourceOf: sourceReader(''),
    settled: async () => {},
    ...options,
  })
  const call = (
    routeKey: string,
    changes: Parameters<typeof gatewayEvent>[0] = {},
    left = minute,
  ) => handler(gatewayEvent({ routeKey, ...changes }), left)
  return { call, log, ports }
}

const thing = 'GET /api/v1/things/{id}'
const image = 'DELETE /api/v1/images/{id}'
const make = 'POST /api/v1/things'
const withId = (id: string) => ({ pathParameters: { id } })

test('200: a parameter is decoded already', async () => {
  const { call } = functionOf()
  const { statusCode, body } = await call(thing, withId('a ü%41'))
  expect([statusCode, JSON.parse(body)]).toEqual([200, { id: 'a ü%41', ip: '192.0.2.7' }])
})

test('200: the caller is the client of a trusted proxy before the gateway', async () => {
  const { call } = functionOf({ sourceOf: sourceReader('192.0.2.7') })
  const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 192.0.2.7' }
  const { body } = await call(thing, { ...withId('a'), headers })
  expect(JSON.parse(body).ip).toBe('198.51.100.7')
})

test.each(['a/b', '/', '..', '.', 'a/../b', 'a\u0000', 'a\\b', ''])(
  '404: refuses the parameter %j, as every adapter does',
  async (id) => {
    const { statusCode } = await functionOf().call(thing, withId(id))
    expect(statusCode).toBe(404)
  },
)

test('a parameter has slashes only where the route allows them', async () => {
  const { call } = functionOf()
  const statuses = ['team/app:1', 'a/../b', 'a//b'].map((id) => call(image, withId(id)))
  expect((await Promise.all(statuses)).map(({ statusCode }) => statusCode)).toEqual([200, 404, 404])
})

test.each([
  ['as text', '{"text":"ü"}', false],
  ['in base64', Buffer.from('{"text":"ü"}').toString('base64'), true],
])('200: reads a body %s', async (_how, body, isBase64Encoded) => {
  const headers = { 'content-type': 'application/json' }
  const response = await functionOf().call(make, { headers, body, isBase64Encoded })
  expect([response.statusCode, response.body]).toEqual([200, '{"text":"ü"}'])
})

test('400: a repeated Content-Type, which the gateway joins, is none', async () => {
  const headers = { 'content-type': 'application/json,application/json' }
  const { statusCode } = await functionOf().call(make, { headers, body: '{"text":"x"}' })
  expect(statusCode).toBe(400)
})

test('401: a repeated Authorization, which the gateway joins, is none', async () => {
  const { call, ports } = functionOf()
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  const one = `Bearer ${token}`
  const statusOf = async (authorization: string) =>
    (await call('GET /api/v1/me', { headers: { authorization } })).statusCode
  expect([await statusOf(one), await statusOf(`${one},${one}`)]).toEqual([200, 401])
})

test('404: a route of another function', async () => {
  const { statusCode, body } = await functionOf().call('GET /api/v1/stacks')
  expect([statusCode, JSON.parse(body).error]).toEqual([
    404,
    'this function does not serve the route',
  ])
})

test('500: keeps the error for the log', async () => {
  const { call, log } = functionOf()
  const { statusCode, body } = await call('GET /api/v1/broken')
  expect([statusCode, body.includes('secret')]).toEqual([500, false])
  expect(JSON.stringify(log.lines)).toContain('GET /broken')
})

test('500: responds before the process is killed', async () => {
  const hold = gate()
  const { call } = functionOf({ routes: routesFor(hold) })
  const pending = call('GET /api/v1/held', {}, { getRemainingTimeInMillis: () => 1010 })
  const { statusCode, headers, body } = await pending
  hold.open()
  expect([statusCode, headers['X-Error-Reason'], JSON.parse(body).error]).toEqual([
    500,
    'timeout',
    'the service did not respond in time',
  ])
})

test('responds after what the request started has ended', async () => {
  const order: string[] = []
  const entered = gate()
  const hold = gate()
  const settled = async () => {
    order.push('settling')
    entered.open()
    await hold.opened
    order.push('settled')
  }
  const { call } = functionOf({ settled })
  const response = call(thing, withId('a')).then(() => order.push('response'))
  await entered.opened
  hold.open()
  await response
  expect(order).toEqual(['settling', 'settled', 'response'])
})

test('a failed request waits for what it started too', async () => {
  let settled = 0
  const count = async () => {
    settled += 1
  }
  const forward = async () => Promise.reject(new Error('the connection was lost'))
  const { call } = functionOf({ forward, settled: count })
  expect((await call('POST /api/v1/deploys')).statusCode).toBe(500)
  expect(settled).toBe(1)
})

test('reports when the gateway got each request', async () => {
  const times: number[] = []
  const { call } = functionOf({ onRequest: (at) => times.push(at) })
  await call(thing, withId('a'))
  await call('GET /api/v1/broken')
  const { timeEpoch } = gatewayEvent().requestContext
  expect(times).toEqual([timeEpoch, timeEpoch])
})

/** Returns a function that notes what is passed on. */
function forwardingFunction() {
  const passed: HttpEvent[] = []
  const forward: FunctionOptions['forward'] = async (event) => {
    passed.push(event)
    return { statusCode: 202, headers: {}, body: '"there"' }
  }
  return { ...functionOf({ forward }), passed }
}

test('a request that needs the service is passed on, and no other', async () => {
  const { call, passed } = forwardingFunction()
  const response = await call('POST /api/v1/deploys')
  expect([response.statusCode, response.body]).toEqual([202, '"there"'])
  expect(passed).toMatchObject([{ routeKey: 'POST /deploys' }])
  expect((await call(thing, withId('a'))).body).toContain('"id"')
  expect(passed).toHaveLength(1)
})

test.each([
  ['as text', 'x'.repeat(1024 ** 2 + 1), false],
  ['in base64', Buffer.alloc(1024 ** 2 + 1, 'x').toString('base64'), true],
])(
  '400: a body that the endpoint does not accept is not passed on, %s',
  async (_how, body, isBase64Encoded) => {
    const { call, passed } = forwardingFunction()
    const { statusCode } = await call('POST /api/v1/deploys', { body, isBase64Encoded })
    expect([statusCode, passed]).toEqual([400, []])
  },
)

test.each([
  ['', 'wait=false'],
  ['tail=a%20b&wait=true', 'tail=a%20b&wait=false'],
  ['wait=false', 'wait=false'],
  ['wait=banana', 'wait=banana'],
  ['wait=true&wait=true', 'wait=true&wait=true'],
  ['wait=true&wait=1', 'wait=true&wait=1'],
  ['tail=%zz', 'tail=%zz&wait=false'],
])('the query %j is passed on as %j', async (rawQueryString, expected) => {
  const { call, passed } = forwardingFunction()
  await call('POST /api/v1/deploys', { rawQueryString })
  expect(passed.map((event) => event.rawQueryString)).toEqual([expected])
})

test('401: the request of an unknown caller is not passed on', async () => {
  const { call, passed, ports } = forwardingFunction()
  const key = 'GET /api/v1/held-engine'
  const statusOf = async (authorization: string) =>
    (await call(key, { headers: { authorization } })).statusCode
  expect(await statusOf('Bearer wrong')).toBe(401)
  expect(passed).toEqual([])
  const token = await signIn(ports, { username: 'ann', role: 'viewer' })
  expect(await statusOf(`Bearer ${token}`)).toBe(202)
})

test('the request is tried here if the service does not take it, or there is none', async () => {
  const key = 'POST /api/v1/deploys'
  expect((await functionOf({ forward: async () => undefined }).call(key)).body).toBe('"here"')
  expect((await functionOf().call(key)).body).toBe('"here"')
})
