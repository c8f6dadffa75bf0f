import { Agent } from 'node:http'
import { connect } from 'node:net'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  json,
  type LoopbackAnswer,
  loopbackEngine,
} from '../../../local/harness/loopback-engine.ts'
import { keepAliveAgent, withShortInspect } from './agent.ts'
import { atLeast, engineClient } from './client.ts'

async function clientOf(answer: LoopbackAnswer, version?: { ApiVersion: string }) {
  const engine = await loopbackEngine(answer, version)
  return { client: engineClient(engine.transport, 'web-1'), ...engine }
}

const read = { method: 'GET', path: '/thing' } as const
const write = { method: 'POST', path: '/thing' } as const

test('uses the lower of both API versions and requests it once', async () => {
  for (const [theirs, spoken] of [
    ['1.41', 'v1.41'],
    ['1.9', 'v1.9'],
    ['1.99', 'v1.49'],
  ] as const) {
    const { client, calls } = await clientOf((_, response) => json(response, 200, {}), {
      ApiVersion: theirs,
    })
    await client.json(read)
    await client.json({ ...read, query: { all: true, filters: { id: ['a b'] }, no: undefined } })
    expect(calls).toEqual([
      `GET /${spoken}/thing`,
      `GET /${spoken}/thing?all=true&filters=${encodeURIComponent('{"id":["a b"]}')}`,
    ])
  }
  expect(atLeast('1.41', '1.9')).toBe(true)
  expect(atLeast('1.41', '1.44')).toBe(false)
})

test('400: an ambiguous ID prefix', async () => {
  const message = 'Multiple IDs found with provided prefix: 5'
  const { client } = await clientOf((_, response) => json(response, 500, { message }))
  await expect(client.json(read)).rejects.toMatchObject({
    status: 400,
    message: `${message}: enter more of the ID`,
  })
})

test.each([
  [400, 400],
  [403, 409],
  [404, 404],
  [409, 409],
  [500, 500],
  [503, 500],
])('%i of the Engine becomes a %i; its message goes only to the log', async (status, expected) => {
  const { client } = await clientOf((_, response) =>
    json(response, status, { message: 'said so\u0007' }),
  )
  for (const [call, name] of [
    [() => client.json(read), 'GET'],
    [() => client.stream(read), 'GET'],
    [() => client.json(write), 'POST'],
  ] as const) {
    await expect(call()).rejects.toMatchObject({
      // A read cannot conflict with anything.
      status: name === 'GET' && expected === 409 ? 500 : expected,
      message: `The Docker Engine of host web-1 refused ${name} /thing with status ${status}`,
      cause: expect.objectContaining({ message: 'said so\\u0007' }),
    })
  }
})

test.each([
  [404, 'No such container: web-1', 404, 'No such container: web-1'],
  [404, 'No such container: \u001b[2Jx', 404, 'refused GET /thing with status 404'],
  [409, 'Conflict. The container name "/a" is already in use by container "b".', 409, 'name a is'],
  [
    500,
    'Bind for 0.0.0.0:80 failed: port is already allocated',
    500,
    'port 0.0.0.0:80 of the host',
  ],
])('%i with %j becomes a %i', async (status, message, expected, ours) => {
  const { client } = await clientOf((_, response) => json(response, status, { message }))
  await expect(client.json(status === 409 ? write : read)).rejects.toMatchObject({
    status: expected,
    message: expect.stringContaining(ours),
  })
})

test('treats 304 as success', async () => {
  const { client } = await clientOf((_, response) => response.writeHead(304).end())
  expect(await client.json(write)).toBeUndefined()
})

test('500: the Engine does not respond', async () => {
  for (const transport of [{ socketPath: '/tmp/no-engine.sock' }, { host: '127.0.0.1', port: 1 }]) {
    const client = engineClient(transport, 'web-1')
    await expect(client.json(read)).rejects.toMatchObject({
      status: 500,
      message: 'The Docker Engine of host web-1 does not respond (GET /version)',
    })
  }
})

test('500: the Engine is silent until the deadline, before or during its response', async () => {
  const { client } = await clientOf((call, response) => {
    if (call.path === '/half') response.write('{"a":')
    return true
  })
  for (const path of ['/none', '/half']) {
    await expect(client.json({ ...read, path, deadline: 50 })).rejects.toMatchObject({
      status: 500,
      message: `The Docker Engine of host web-1 did not respond within 0.05 s (GET ${path})`,
    })
  }
})

test('500: the connection breaks during a response; reads are retried once', async () => {
  const { client, calls } = await clientOf((_, response) => {
    response.writeHead(200, { 'Content-Length': 100 }).write('{"a":')
    return setImmediate(() => response.destroy())
  })
  await expect(client.json(read)).rejects.toMatchObject({ status: 500 })
  await expect(client.json(write)).rejects.toMatchObject({ status: 500 })
  expect(calls).toEqual(['GET /v1.41/thing', 'GET /v1.41/thing', 'POST /v1.41/thing'])
})

test('500: a response that is not JSON', async () => {
  const { client } = await clientOf((_, response) => response.end('<html>'))
  await expect(client.json(read)).rejects.toMatchObject({ status: 500 })
})

test('the caller aborts a call or a stream with a reason', async () => {
  const { client } = await clientOf((call, response) => {
    if (call.path === '/stream') response.write('first')
    return true
  })
  const stop = new AbortController()
  const waiting = client.json({ ...write, signal: stop.signal, deadline: null })
  const stream = await client.stream({ ...read, path: '/stream', signal: stop.signal })
  const reading = (async () => {
    for await (const _chunk of stream) stop.abort(new Error('enough'))
  })()
  await expect(reading).rejects.toThrow('enough')
  await expect(waiting).rejects.toThrow('enough')
  await expect(client.json({ ...read, signal: stop.signal })).rejects.toThrow('enough')
})

test('reuses connections and opens one per concurrent call', async () => {
  let open = 0
  let most = 0
  const sockets = new Set<unknown>()
  const held: (() => void)[] = []
  const { client } = await clientOf((_, response, request) => {
    sockets.add(request.socket)
    open += 1
    most = Math.max(most, open)
    held.push(() => {
      open -= 1
      json(response, 200, {})
    })
    if (held.length === 50) for (const release of held.splice(0)) release()
    return true
  })
  const burst = () => Promise.all(Array.from({ length: 50 }, () => client.json(write)))
  await burst()
  expect(most).toBe(50)
  const before = sockets.size
  await burst()
  expect(sockets.size).toBeLessThan(2 * before)
})

test('prints an agent as one word, without its contents', async () => {
  const everything = { depth: null, showHidden: true } as const
  expect(inspect(keepAliveAgent('http'), everything)).toBe('[Agent]')

  const { transport } = await loopbackEngine((_, response) => json(response, 200, { ok: true }))
  let looked = 0
  const graph = {
    [inspect.custom]() {
      looked += 1
      return ''
    },
  }
  class Tunnel extends Agent {
    graph = graph
    override createConnection() {
      return connect(transport.port, transport.host)
    }
  }
  const agent = new Tunnel()
  inspect(agent, everything)
  expect(looked).toBeGreaterThan(0)
  looked = 0
  const client = engineClient({ agent }, 'web-1')
  expect(await client.json(read)).toEqual({ ok: true })
  expect(looked).toBe(0)
  expect(inspect(withShortInspect(agent), everything)).toBe('[Agent]')
})
