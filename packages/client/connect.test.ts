import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { present } from '../../adapters/testing/present.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { feedWorld } from '../../local/harness/feeds.ts'
import { type Loss, startLossyProxy } from '../../local/harness/lossy-proxy.ts'
import { connect, repeat, ServiceError, type Started, unwrap } from './connect.ts'
import type { SocketClass } from './connection.ts'
import { addressOf, feedsBase } from './feed-address.ts'

const Socket = WebSocket as unknown as SocketClass

/** Returns a service, and its API with an API token. */
async function connected() {
  const world = await clientWorld()
  await world.login()
  const { out } = await world.cli('tokens create library')
  const service = connect({ server: `${world.server}/`, token: out.trim(), WebSocket: Socket })
  return { world, service, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

const compose = 'services:\n  web:\n    image: nginx:1\n'

test('200: returns the body of a response', async () => {
  await using at = await connected()
  await unwrap(at.service.api.POST('/stacks', { body: { name: 'shop', compose } }))
  const stacks = await unwrap(at.service.api.GET('/stacks'))
  expect(stacks.map(({ name }) => name)).toEqual(['shop'])
})

test('404, 401: throws the status and the message of the service', async () => {
  await using at = await connected()
  const params = { path: { name: 'none' } }
  const missing = unwrap(at.service.api.GET('/stacks/{name}', { params }))
  await expect(missing).rejects.toMatchObject({ name: 'ServiceError', status: 404 })
  const stranger = connect({ server: at.world.server, token: async () => 'cst_wrong' })
  await expect(unwrap(stranger.api.GET('/stacks'))).rejects.toMatchObject({ status: 401 })
})

test('0: throws if the service cannot be reached', async () => {
  const { api } = connect({ server: 'http://127.0.0.1:1', token: 't' })
  const error = await unwrap(api.GET('/stacks')).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ status: 0, message: 'the service cannot be reached' })
})

test('follows events over a lost connection, and asks for those in between', async () => {
  await using at = await connected()
  const { world, service } = at
  const lost: number[] = []
  const kinds: string[] = []
  const create = (name: string) => unwrap(service.api.POST('/stacks', { body: { name, compose } }))
  const events = service.feed('/ws/events', {
    params: { query: {} },
    resume: (last) => ('time' in last ? { since: last.time } : {}),
    onReconnect: ({ code }) => lost.push(code),
  })
  const first = events.next()
  await expect.poll(() => world.feeds()).toBe(1)
  await create('one')
  const { value } = await first
  expect(value).toMatchObject({ kind: 'stack.create', subject: { name: 'one' } })
  await world.away()
  await world.back()
  await create('two')
  for await (const event of events) {
    if (!('id' in event)) continue
    kinds.push(`${event.kind} ${event.subject?.name}`)
    if (event.subject?.name === 'two') break
  }
  expect(kinds.at(-1)).toBe('stack.create two')
  expect(lost).toHaveLength(1)
  await expect.poll(() => world.feeds()).toBe(0)
})

test('loses none of many lines of a log over a lost connection, and says how it ended', async () => {
  await using at = await connected()
  const { world, service } = at
  const running = '{ web: { image: "busybox:latest", command: sleep 60 } }'
  await stackOf(world, 'shop', `services: ${running}`)
  const say = (...lines: string[]) => print(world.engine.state, 'shop-web-1', ...lines)
  const ends: unknown[] = []
  const log = service.feed('/ws/logs/{id}', {
    params: { path: { id: 'shop-web-1' } },
    resume: (last) => ('time' in last ? { since: last.time } : {}),
    onEnd: (end) => ends.push(end),
  })
  const text: string[] = []
  const read = (async () => {
    for await (const message of log) if ('data' in message) text.push(message.data)
  })()
  await expect.poll(() => world.feeds()).toBe(1)
  say('one')
  await expect.poll(() => text).toEqual(['one\n'])
  await world.away()
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}\n`)
  say(...lines.map((line) => line.trimEnd()))
  await world.back()
  await expect.poll(() => text.join('')).toBe(`one\n${lines.join('')}`)
  await world.engine.act('shop-web-1', { kind: 'kill' })
  await read
  expect(ends).toEqual([
    { code: 1000, reason: undefined, message: 'the subject of the feed ended', exitCode: 137 },
  ])
})

test('opens a feed where the service says that it is', async () => {
  await using at = await connected()
  await using elsewhere = await feedWorld({ ports: at.world.ports })
  at.world.ports.site.feedsUrl = `ws://127.0.0.1:${elsewhere.port}`
  const events = at.service.feed('/ws/events', { params: {} })
  const first = events.next()
  await expect.poll(() => elsewhere.server.size).toBe(1)
  expect(at.world.feeds()).toBe(0)
  await unwrap(at.service.api.POST('/stacks', { body: { name: 'shop', compose } }))
  expect((await first).value).toMatchObject({ kind: 'stack.create' })
  await events.return()
})

test('an abort ends a feed that waits', async () => {
  await using at = await connected()
  const end = new AbortController()
  const events = at.service.feed('/ws/events', { params: {}, signal: end.signal })
  const next = events.next()
  await expect.poll(() => at.world.feeds()).toBe(1)
  end.abort()
  expect(await next).toEqual({ done: true, value: undefined })
  await expect.poll(() => at.world.feeds()).toBe(0)
})

test('a feed that the service refuses is an error after some attempts', async () => {
  await using at = await connected()
  const logs = at.service.feed('/ws/logs/{id}', { params: { path: { id: 'none' } } })
  await expect(logs.next()).rejects.toThrow('the service refuses the feed')
})

test('401: a feed without a valid token is an error at once', async () => {
  await using at = await connected()
  const { feed } = connect({ server: at.world.server, token: 'cst_wrong', WebSocket: Socket })
  await expect(feed('/ws/events', { params: {} }).next()).rejects.toMatchObject({ status: 401 })
})

test('fills in a path, and rejects a value that would lead to another one', () => {
  expect(
    addressOf('/ws/logs/{id}', { id: 'a/b' }, { tail: 5, since: undefined, x: ['1', '2'] }),
  ).toBe('/ws/logs/a%2Fb?tail=5&x=1&x=2')
  for (const id of ['', '.', '..'])
    expect(() => addressOf('/ws/logs/{id}', { id })).toThrow('no id')
})

test('feeds of a service with TLS have TLS wherever they are', () => {
  expect(feedsBase('https://a/x/api/v1', undefined)).toBe('wss://a/x/api/v1')
  expect(feedsBase('http://a/api/v1', 'ws://b/api/v1')).toBe('ws://b/api/v1')
  expect(feedsBase('https://a/api/v1', 'wss://b/api/v1')).toBe('wss://b/api/v1')
  expect(() => feedsBase('https://a/api/v1', 'ws://b/api/v1')).toThrow('are not encrypted')
})

test('201: creates a stack once, however often the response is lost', async () => {
  await using at = await connected()
  const losses: (Loss | undefined)[] = ['request', 'response', 'half of the response']
  const proxy = await startLossyProxy(at.world.server, async () => losses.shift())
  onTestFinished(() => proxy.close())
  const { out } = await at.world.cli('tokens create lossy')
  const { api } = connect({ server: proxy.url, token: out.trim() })
  const body = { name: 'shop', compose }
  const answer = await repeat((headers) => api.POST('/stacks', { body, headers }))
  expect(losses).toEqual([])
  expect(await unwrap(answer)).toMatchObject({ name: 'shop', revision: 1 })
  expect(answer.response.headers.get('idempotency-replayed')).toBe('true')
  const { error, response } = await repeat((headers) => api.POST('/stacks', { body, headers }))
  expect([response.status, error]).toEqual([409, { error: expect.stringContaining('exists') }])
})

test('a signal ends the repetitions, and an error of the program is not repeated', async () => {
  const { api } = connect({ server: 'http://127.0.0.1:1', token: 't' })
  const signal = AbortSignal.timeout(20)
  await expect(repeat(() => api.GET('/stacks'), { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const refuse = async () => {
    throw new TypeError('no token')
  }
  for (const [token, message] of [
    [refuse, 'no token'],
    ['cst_…', 'ByteString'],
  ] as const) {
    const without = connect({ server: 'http://127.0.0.1:1', token })
    await expect(repeat(() => without.api.GET('/stacks'))).rejects.toThrow(message)
    await expect(unwrap(without.api.GET('/stacks'))).rejects.toThrow(message)
  }
})

test('a page of something else is an error of the address, and not asked for again', async () => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.setHeader('Content-Type', 'text/html').end('<h1>Sign in</h1>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { api } = connect({ server: `http://127.0.0.1:${port}`, token: 't' })
  const asked = unwrap(repeat(() => api.GET('/stacks')))
  await expect(asked).rejects.toThrow('something else has this address')
  expect(requests).toBe(1)
})

test('an operation that ran and failed is not started again', async () => {
  const headers = { 'X-Error-Reason': 'engine-busy' }
  const ran = { ...headers, 'X-Operation-Id': 'op-1' }
  const responses = [headers, ran, headers].map((each) => ({
    error: {},
    response: new Response('{}', { status: 500, headers: each }),
  }))
  const answer = await repeat(async () => present(responses.shift()))
  expect(answer.response.headers.get('x-operation-id')).toBe('op-1')
  expect(responses).toHaveLength(1)
})

/** Starts a deploy whose steps wait until the returned function is called. */
async function heldDeploy({ world, service }: Awaited<ReturnType<typeof connected>>) {
  const running = 'services: { web: { image: "busybox:latest", command: sleep 60 } }'
  await unwrap(service.api.POST('/stacks', { body: { name: 'shop', compose: running } }))
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { execute } = world.engine
  world.engine.execute = async (...given) => {
    await held
    return execute(...given)
  }
  const params = { path: { name: 'shop' }, query: { wait: false } }
  const started = await unwrap(service.api.POST('/stacks/{name}/deploy', { params }))
  return { started, release }
}

test('waits for the end of a deployment over a lost connection', async () => {
  await using at = await connected()
  const { started, release } = await heldDeploy(at)
  expect(started.status).toBe('running')
  const ended = at.service.waitFor(started)
  await at.world.away()
  await at.world.back()
  release()
  expect(await ended).toMatchObject({ id: started.id, error: null, status: 'succeeded' })
  expect(await at.service.waitFor(await ended)).toEqual(await ended)
})

test('a signal ends the wait for a deployment', async () => {
  await using at = await connected()
  const { started, release } = await heldDeploy(at)
  const stop = new AbortController()
  const waiting = at.service.waitFor(started, { signal: stop.signal })
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  release()
})

test('a stack whose removal is followed is deleted in the end', async () => {
  await using at = await connected()
  const { api } = at.service
  await unwrap(api.POST('/stacks', { body: { name: 'shop', compose } }))
  const params = { path: { name: 'shop' }, query: { wait: false } }
  const started = (await unwrap(api.DELETE('/stacks/{name}', { params }))) as Started
  expect(await at.service.waitFor(started)).toMatchObject({ kind: 'remove', status: 'succeeded' })
  const missing = unwrap(api.GET('/stacks/{name}', { params: { path: { name: 'shop' } } }))
  await expect(missing).rejects.toMatchObject({ status: 404, requestId: expect.any(String) })
})
