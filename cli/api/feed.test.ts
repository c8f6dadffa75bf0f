import { createServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { clientWorld, stackOf } from '../../local/harness/client.ts'
import { type FeedWorld, feedWorld } from '../../local/harness/feeds.ts'
import { makeClient } from './client.ts'

const compose = 'services:\n  web: { image: "busybox:latest", command: sleep 60 }\n'
const follow = 'containers logs shop-web-1 --follow'

/** Starts a service whose feeds are at the address of another process with the same ports. */
async function withFeedsElsewhere(options: { sharesStore?: boolean } = {}) {
  const world = await clientWorld()
  await world.login()
  await stackOf(world, 'shop', compose)
  const elsewhere = await feedWorld(options.sharesStore === false ? {} : { ports: world.ports })
  onTestFinished(async () => {
    await elsewhere[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
  })
  world.ports.site.feedsUrl = `ws://127.0.0.1:${elsewhere.port}`
  return {
    ...world,
    elsewhere,
    ...upgradesOf(elsewhere),
    say: (...lines: string[]) => print(world.engine.state, 'shop-web-1', ...lines),
    stop: () => world.engine.act('shop-web-1', { kind: 'stop' }),
  }
}

/** Records the upgrade requests of a listener. */
function upgradesOf({ listener }: FeedWorld) {
  const tickets: (string | null)[] = []
  const credentials: unknown[] = []
  const sockets: Duplex[] = []
  listener.server.on('upgrade', ({ url = '', headers }, socket) => {
    tickets.push(new URL(url, 'http://a').searchParams.get('ticket'))
    credentials.push(headers.authorization)
    sockets.push(socket)
  })
  return { tickets, credentials, sockets }
}

test('0: opens a feed where the service says that it is, without the credential', async () => {
  const world = await withFeedsElsewhere()
  world.say('one')
  const following = world.cli(follow)
  await expect.poll(() => world.elsewhere.server.size).toBe(1)
  expect(world.feeds()).toBe(0)
  await world.stop()
  expect(await following).toEqual({ code: 0, out: 'one\n', err: '' })
  expect(world.tickets).toEqual([expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)])
  expect(world.credentials).toEqual([undefined])
})

test('0: opens a lost feed again with a new ticket', async () => {
  const world = await withFeedsElsewhere()
  const following = world.cli(follow)
  await expect.poll(() => world.ports.streams.size).toBe(1)
  world.sockets[0]?.destroy()
  await expect.poll(() => world.sockets).toHaveLength(2)
  await expect.poll(() => world.elsewhere.server.size).toBe(1)
  world.say('one')
  await world.stop()
  const { code, out } = await following
  expect({ code, out }).toEqual({ code: 0, out: 'one\n' })
  expect(new Set(world.tickets).size).toBe(2)
})

test('0: renews an expired session for a ticket', async () => {
  const world = await withFeedsElsewhere()
  world.ports.clock.advance(15 * 60_000)
  world.say('one')
  const following = world.cli(follow)
  await expect.poll(() => world.elsewhere.server.size).toBe(1)
  await world.stop()
  expect((await following).code).toBe(0)
  expect(world.credentials).toEqual([undefined])
})

test('opens hundreds of feeds at a time with a slow store', async () => {
  const world = await withFeedsElsewhere()
  const { tickets } = world.ports
  const create = tickets.create.bind(tickets)
  tickets.create = async (ticket) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    await create(ticket)
  }
  const { token } = await world.config()
  const target = { server: world.server, insecure: false }
  const client = makeClient({ target, token: async () => token, renew: async () => undefined })
  const all = await Promise.all(
    Array.from({ length: 300 }, () =>
      client.feed('/ws/stats/{id}', { path: { id: 'shop-web-1' } }),
    ),
  )
  expect(world.elsewhere.server.size).toBe(300)
  for (const feed of all) feed.close()
  await expect.poll(() => world.elsewhere.server.size).toBe(0)
})

test('1: shows why the other process refuses a feed', async () => {
  const world = await withFeedsElsewhere()
  const { code, err } = await world.cli('containers exec none ls')
  expect(code).toBe(1)
  expect(err).toContain('none')
  expect(world.elsewhere.log.lines.map(({ fields }) => fields.status)).toContain(404)
})

test('3: the other process does not know the ticket', async () => {
  const world = await withFeedsElsewhere({ sharesStore: false })
  const { code, err } = await world.cli('events')
  expect(code).toBe(3)
  expect(err).toContain('the ticket is invalid, used or expired')
  expect(err).toContain(`ws://127.0.0.1:${world.elsewhere.port}/api/v1, which must have the store`)
})

test('1: names the address of feeds that it cannot reach, and one that is none', async () => {
  const world = await withFeedsElsewhere()
  world.ports.site.feedsUrl = 'ws://127.0.0.1:1'
  expect((await world.cli('events')).err).toContain(
    'cannot reach the address of the feeds ws://127.0.0.1:1/api/v1: connection refused',
  )
  world.ports.site.feedsUrl = 'http://127.0.0.1:1'
  const { code, err } = await world.cli('events')
  expect(code).toBe(1)
  expect(err).toContain(`${world.server} names that address: check SERVICE_FEEDS_URL`)
})

test('1: a program that is not the service is at the address of the feeds', async () => {
  const world = await withFeedsElsewhere()
  const other = createServer()
  other.on('upgrade', (_, socket) => {
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n')
  })
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  world.ports.site.feedsUrl = `ws://127.0.0.1:${port}`
  const { code, err } = await world.cli('events')
  expect(code).toBe(1)
  expect(err).toContain(`ws://127.0.0.1:${port}/api/v1 responded with 502 and text/html`)
})

test('the reason of a closed feed cannot control the terminal', async () => {
  const world = await withFeedsElsewhere()
  const other = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => void other.close())
  const codes = [1011, 1008]
  other.on('connection', (socket) => socket.close(codes.shift(), '\u001b]0;x\u0007 \u061cgone'))
  await expect.poll(() => other.address()).not.toBeNull()
  const { port } = other.address() as { port: number }
  world.ports.site.feedsUrl = `ws://127.0.0.1:${port}`
  const { code, err } = await world.cli('events')
  expect(code).toBe(4)
  const reason = '\\u001b]0;x\\u0007 \\u061cgone'
  expect(err).toBe(`cli: the connection was lost (${reason}); reconnecting\ncli: ${reason}\n`)
})
