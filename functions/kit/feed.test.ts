import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { agentHost } from '../../adapters/testing/memory/hosts.ts'
import type { MemoryLog } from '../../adapters/testing/memory/log.ts'
import { present } from '../../adapters/testing/present.ts'
import { exchange, rawClient } from '../../adapters/testing/raw-http.ts'
import { feedWorld, openFeed } from '../../local/harness/feeds.ts'
import { forbidden, internalError, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { Broadcast, TooSlow } from '../core/streams/broadcast.ts'
import { EncodedText } from '../core/streams/message.ts'
import { feed } from './feed.ts'
import { ready } from './feed-facts.ts'
import { ticketHash } from './ticket.ts'

const of = (made: object) => async () => ({ default: made as never })

/** Returns the rest that a feed hands over. `opened` resolves when the feed may return it. */
function restOf(gone: string[]) {
  const out = new Broadcast<{ size: number; bytes: Uint8Array }>(() => gone.push('rest'))
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let followers = 0
  return {
    open,
    opened,
    followers: () => followers,
    follow() {
      followers += 1
      return out.subscribe()
    },
    publish(text: string) {
      const { bytes } = new EncodedText(text)
      out.publish({ bytes, size: bytes.length })
    },
    end: (error?: unknown) => out.end(error),
  }
}

/** Feeds for the tests of the kit. `gone` collects the names of feeds whose client has left. */
function testFeeds(gone: string[], rest: ReturnType<typeof restOf>) {
  const failures: Record<string, unknown> = {
    slow: new TooSlow(),
    broken: new Error('secret cause'),
    engine: internalError('The Docker Engine of host local does not respond', {
      reason: 'engine-busy',
    }),
    withdrawn: forbidden('not any more'),
  }
  return {
    '/ws/echo/{name}': of(
      feed({
        summary: 'Send back what comes',
        access: 'containers:exec',
        path: z.object({ name: z.string() }),
        query: z.object({ cmd: z.array(z.string().max(5)).default(['sh']) }),
        receives: true,
        errors: { 404: 'No such name' },
        async *run({ path, query, caller, incoming, signal }) {
          if (path.name === 'none') throw notFound('nothing has that name')
          signal.addEventListener('abort', () => gone.push(path.name))
          yield JSON.stringify({ user: caller.account.username, ...query })
          for await (const message of incoming) yield message
        },
      }),
    ),
    '/ws/mute': of(
      feed({
        summary: 'Say nothing',
        access: 'signed-in',
        async *run({ signal }) {
          yield ready
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          gone.push('mute')
        },
      }),
    ),
    '/ws/rest/{when}': of(
      feed({
        summary: 'Hand on what others bring',
        access: 'signed-in',
        path: z.object({ when: z.string() }),
        async *run({ path }) {
          if (path.when === 'later') yield '{"own":true}'
          await rest.opened
          return rest.follow()
        },
      }),
    ),
    '/ws/end/{how}': of(
      feed({
        summary: 'End',
        access: 'signed-in',
        path: z.object({ how: z.string() }),
        sends: z.object({ last: z.string() }),
        async *run({ path }) {
          yield new EncodedText('{"last":"ü"}')
          if (path.how !== 'well') throw failures[path.how]
        },
      }),
    ),
    '/ws/flood': of(
      feed({
        summary: 'Send without end',
        access: 'signed-in',
        async *run({ signal }) {
          const block = Buffer.alloc(16 * 1024)
          while (!signal.aborted) yield block
          gone.push('flood')
        },
      }),
    ),
    '/ws/host/{id}': of(
      feed({
        summary: 'Look at a host',
        access: 'containers:read',
        path: z.object({ id: z.string() }),
        async *run({ path, signal }, { engines }: Needs<'engines' | 'hosts'>) {
          await engines.on(path.id)
          yield ready
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
      }),
    ),
  }
}

async function world(limits = {}, baseUrl?: string) {
  const gone: string[] = []
  const rest = restOf(gone)
  const made = await feedWorld({ feeds: testFeeds(gone, rest), limits, baseUrl })
  onTestFinished(() => made.close(AbortSignal.abort()))
  return { ...made, gone, rest }
}

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })
const logged = (log: MemoryLog) => log.lines.map(({ fields }) => fields)

test('101: handles text, bytes, lists in the query and both ends, and logs one line', async () => {
  const service = await world()
  const opened = await service.open('/ws/echo/one?cmd=a&cmd=b', 'operator')
  expect(await opened.json()).toEqual({ user: 'operator', cmd: ['a', 'b'] })
  opened.ws.send('tür')
  expect(await opened.next()).toBe('tür')
  opened.ws.send(Buffer.from([0, 255]))
  expect(await opened.next()).toEqual(Buffer.from([0, 255]))
  expect(service.server.size).toBe(1)
  opened.ws.close(1000)
  await eventually(() => service.gone).toEqual(['one'])
  await eventually(() => service.server.size).toBe(0)
  expect(logged(service.log)).toMatchObject([
    {
      request_id: opened.headers['x-request-id'],
      status: 101,
      close_code: 1000,
      user: 'operator',
      route: 'GET /ws/echo/{name}',
      bytes: '{"user":"operator","cmd":["a","b"]}'.length + 4 + 2,
    },
  ])
})

test('a returned stream is sent after the feed’s own messages, until it ends', async () => {
  const service = await world()
  const later = await service.open('/ws/rest/later')
  expect(await later.json()).toEqual({ own: true })
  service.rest.open()
  const atOnce = await service.open('/ws/rest/at-once')
  await eventually(service.rest.followers).toBe(2)
  service.rest.publish('"one"')
  for (const opened of [later, atOnce]) expect(await opened.json()).toBe('one')
  service.rest.publish('"two"')
  service.rest.end(new TooSlow())
  for (const opened of [later, atOnce]) {
    expect(await opened.json()).toBe('two')
    expect((await opened.ended).code).toBe(1013)
  }
})

test('a returned stream is released when the client disconnects, even before it was returned', async () => {
  const service = await world()
  const early = await service.open('/ws/rest/later')
  early.ws.terminate()
  const token = await service.token('viewer')
  const unopened = await rawClient(service.port)
  unopened.write(
    `GET /api/v1/ws/rest/at-once HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  unopened.socket.resetAndDestroy()
  await eventually(() => service.server.size).toBe(0)
  service.rest.open()
  await eventually(service.rest.followers).toBe(2)
  // Reported whenever the last follower leaves.
  await eventually(() => service.gone).toContain('rest')
  const before = service.gone.length
  const waiting = await service.open('/ws/rest/later')
  await eventually(service.rest.followers).toBe(3)
  waiting.ws.terminate()
  await eventually(() => service.gone.length).toBeGreaterThan(before)
})

test('records feeds that accept messages, and refused ones', async () => {
  const service = await world()
  const opened = await service.open('/ws/echo/one?cmd=horse', 'operator')
  opened.ws.close(1000)
  await service.open('/ws/echo/one', 'viewer').catch(() => {})
  const rows = async () => (await service.ports.audit.list({ limit: 9 })).rows
  await expect.poll(rows, { timeout: 15_000 }).toMatchObject([
    { action: 'ws.echo', outcome: 'refused', status: 403, username: 'viewer' },
    { action: 'ws.echo', outcome: 'succeeded', status: 101, subject: { kind: 'echo', id: 'one' } },
  ])
  expect(JSON.stringify(await rows())).not.toContain('horse')
})

test.each([
  ['well', 1000, null, ''],
  ['slow', 1013, 'slow-reader', 'slow-reader: the client reads too slowly'],
  ['broken', 1011, 'internal', 'internal: the service failed'],
  ['engine', 1011, 'engine-busy', 'engine-busy: The Docker Engine of host local does not respond'],
  ['withdrawn', 1008, 'forbidden', 'forbidden: not any more'],
])(
  'a feed that ends as `%s` closes with %i and says why, after its last message',
  async (how, code, reason, text) => {
    const service = await world()
    const opened = await service.open(`/ws/end/${how}`)
    expect(await opened.json()).toEqual({ last: 'ü' })
    const end = await opened.ended
    expect(end).toEqual({ code, reason: text })
    expect(opened.closing()).toEqual({
      code,
      reason,
      message: text.replace(`${reason}: `, '') || 'the subject of the feed ended',
    })
    await eventually(() => logged(service.log)).toMatchObject([{ status: 101, close_code: code }])
  },
)

test('400, 401, 403, 404: refuses before the upgrade, with a JSON error', async () => {
  const service = await world()
  const refused = async (path: string, as?: 'viewer' | 'operator') => {
    const token = as && (await service.token(as))
    const opening = openFeed(service.url + path, { token, headers: { 'X-Request-Id': 'mine' } })
    const { status, headers, body } = await opening.then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(headers['x-request-id']).toBe('mine')
    expect(Object.keys(JSON.parse(body))).toEqual(['error'])
    return status
  }
  expect(await refused('/ws/echo/one?cmd=toolong', 'operator')).toBe(400)
  expect(await refused('/ws/echo/one?what=1', 'operator')).toBe(400)
  expect(await refused('/ws/echo/one')).toBe(401)
  expect(await refused('/ws/echo/one?ticket=none')).toBe(401)
  expect(await refused('/ws/echo/one?ticket=a&ticket=b', 'operator')).toBe(400)
  expect(await refused('/ws/echo/one', 'viewer')).toBe(403)
  expect(await refused('/ws/echo/none', 'operator')).toBe(404)
  expect(await refused('/ws/unknown', 'operator')).toBe(404)
  expect(await refused('//evil.example/api/v1/ws/mute', 'operator')).toBe(404)
  await eventually(() => logged(service.log).filter(({ status }) => status === 404)).toHaveLength(3)
  expect(service.gone).toEqual([])
})

test('400: a plain request for a feed, or an invalid handshake', async () => {
  const service = await world()
  const token = await service.token('operator')
  const head = (more: string) =>
    `GET /api/v1/ws/mute HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`
  const offer = 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  for (const more of [
    '',
    offer,
    `${offer}${key}`,
    `${offer}${key}Sec-WebSocket-Version: 12\r\n`,
    `${offer}Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n`,
    `${offer}${key}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ,,\r\n`,
  ]) {
    const answer = await exchange(service.port, head(more))
    expect([more, answer.status]).toEqual([more, 400])
    expect(Object.keys(JSON.parse(answer.body))).toEqual(['error'])
    expect(answer.headers['x-request-id']).toBeDefined()
  }
  expect(service.server.size).toBe(0)
})

test('403: a page of another origin with a ticket that was not created by a page', async () => {
  const service = await world({}, 'https://stacks.example.com')
  const open = (origin?: string) => openWithTicket(service, null, origin)
  for (const origin of [
    'https://evil.example',
    'https://stacks.example.com.evil.example',
    'http://stacks.example.com',
    'https://stacks.example.com:444',
    `http://127.0.0.1:${service.port}`,
    'null',
  ]) {
    await expect(open(origin)).rejects.toMatchObject({ status: 403 })
  }
  await open('https://stacks.example.com')
  await open()
  const unconfigured = await world()
  await openWithTicket(unconfigured, null, `http://127.0.0.1:${unconfigured.port}`)
  const other = openWithTicket(unconfigured, null, 'http://127.0.0.1:1')
  await expect(other).rejects.toMatchObject({ status: 403 })
})

test('403: a ticket of a page works only for its origin, whatever Host and base URL', async () => {
  for (const baseUrl of [undefined, 'https://stacks.example.com']) {
    const service = await world({}, baseUrl)
    const own = 'http://127.0.0.1:1'
    for (const origin of [
      ...['https://stacks.example.com', 'http://127.0.0.1:10', 'HTTP://127.0.0.1:1', 'null', ''],
      ...[`http://127.0.0.1:${service.port}`, undefined],
    ]) {
      const dial = openWithTicket(service, own, origin)
      await expect(dial, origin).rejects.toMatchObject({ status: 403 })
    }
    await openWithTicket(service, own, own)
  }
})

test('101: does not compare the origin of a request with a bearer token', async () => {
  const service = await world({}, 'https://stacks.example.com')
  await service.open('/ws/mute', 'admin', { headers: { origin: 'https://evil.example' } })
  const refused = service.open('/ws/mute', { token: 'wrong' }, { headers: { origin: 'null' } })
  await expect(refused).rejects.toMatchObject({ status: 401 })
})

/** Opens a feed from a page, with a ticket created with or without an `Origin`. */
async function openWithTicket(
  service: Awaited<ReturnType<typeof world>>,
  askedFrom: string | null,
  origin?: string,
) {
  const { ports } = service
  const { sessionId, tokenId, expiresAt } = present(
    await ports.accessTokens.verify(await service.token('admin')),
  )
  const credential = { kind: 'session' as const, sessionId, tokenId, expiresAt }
  const ticket = Buffer.from(ports.random.bytes(32)).toString('base64url')
  const hash = ticketHash(ticket)
  await ports.tickets.create({ hash, credential, origin: askedFrom, expiresAt })
  const headers: Record<string, string> = origin === undefined ? {} : { origin }
  return openFeed(`${service.url}/ws/mute?ticket=${ticket}`, { headers })
}

test('1008: a message to a send-only feed; 1009: one above 64 KiB; others continue', async () => {
  const service = await world()
  const other = await service.open('/ws/echo/other')
  await other.next()
  const mute = await service.open('/ws/mute')
  mute.ws.send('hello')
  expect(await mute.ended).toEqual({
    code: 1008,
    reason: 'unexpected-message: this feed accepts no messages',
  })
  expect(mute.closing()).toBeUndefined()
  const large = await service.open('/ws/echo/large')
  await large.next()
  large.ws.send('a'.repeat(64 * 1024))
  expect(await large.next()).toHaveLength(64 * 1024)
  large.ws.send('a'.repeat(64 * 1024 + 1))
  expect(await large.ended).toEqual({
    code: 1009,
    reason: 'unexpected-message: a message must be at most 64 KiB',
  })
  const fragments = await service.open('/ws/echo/fragments')
  await fragments.next()
  for (let count = 0; count < 2000; count += 1) fragments.ws.send('', { fin: false })
  expect([1008, 1006]).toContain((await fragments.ended).code)
  await eventually(() => service.gone.toSorted()).toEqual(['fragments', 'large', 'mute'])
  other.ws.send('still here')
  expect(await other.next()).toBe('still here')
})

test('1001: a shutdown closes all feeds', async () => {
  const service = await world()
  const opened = await Promise.all([service.open('/ws/mute'), service.open('/ws/echo/one')])
  await service.close()
  for (const { ended } of opened) expect((await ended).code).toBe(1001)
  expect(service.gone.toSorted()).toEqual(['mute', 'one'])
})

test('buffers at most 64 KiB for a stalled reader, closes with 1013 or cuts the connection', async () => {
  const service = await world({ ping: 200 })
  const token = await service.token('viewer')
  const client = await rawClient(service.port)
  client.socket.pause()
  client.write(
    `GET /api/v1/ws/flood HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  await eventually(() => service.gone).toEqual(['flood'])
  await eventually(() => service.server.size).toBe(0)
  expect(logged(service.log)).toMatchObject([{ close_code: 1013 }])
})

test('detects a client that disappeared without closing', async () => {
  const service = await world({ ping: 100 })
  const opened = await service.open('/ws/mute', 'viewer', { autoPong: false })
  expect((await opened.ended).code).toBe(1006)
  await eventually(() => service.gone).toEqual(['mute'])
  const alive = await service.open('/ws/mute', 'viewer')
  for (let pings = 0; pings < 5; pings += 1) {
    await new Promise((resolve) => alive.ws.once('ping', resolve))
  }
  expect(alive.ws.readyState).toBe(alive.ws.OPEN)
})

test('a reset at any time ends only its own feed', async () => {
  const service = await world()
  const token = await service.token('operator')
  const offer = `Host: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`
  for (const path of ['/ws/flood', '/ws/mute', '/ws/echo/one', '/ws/end/well']) {
    for (const wait of [0, 0, 1, 2, 5, 10]) {
      const client = await rawClient(service.port)
      client.write(`GET /api/v1${path} HTTP/1.1\r\n${offer}`)
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
      client.socket.resetAndDestroy()
    }
  }
  await eventually(() => service.server.size).toBe(0)
  const opened = await service.open('/ws/echo/one')
  expect(await opened.json()).toMatchObject({ user: 'admin' })
})

test('1008 within five seconds after the rights of the caller are withdrawn', async () => {
  const service = await world({ recheck: 50 })
  const { ports } = service
  const account = async (username: string) => present(await ports.accounts.findByUsername(username))
  const open = (username: string, path: string) =>
    service.open(path, { username, role: 'operator', scopeTags: ['red'] })
  await ports.hosts.create(agentHost('far', ['red']))
  ports.engines.byHost.set('far', await ports.engines.on('local'))
  const stays = await open('stays', '/ws/host/far')
  const feeds = {
    disabled: await open('disabled', '/ws/mute'),
    demoted: await open('demoted', '/ws/echo/one'),
    ended: await open('ended', '/ws/host/far'),
    rescoped: await open('rescoped', '/ws/host/far'),
    elsewhere: await open('elsewhere', '/ws/mute'),
  }
  await ports.accounts.replace({ ...(await account('disabled')), disabled: true })
  await ports.accounts.replace({ ...(await account('demoted')), role: 'viewer' })
  await ports.sessions.removeByAccount((await account('ended')).id)
  await ports.accounts.replace({ ...(await account('rescoped')), scopeTags: ['blue'] })
  await ports.accounts.replace({ ...(await account('elsewhere')), scopeTags: ['blue'] })
  for (const [who, { ended }] of Object.entries(feeds)) {
    expect([who, (await ended).code]).toEqual([who, 1008])
  }
  expect(stays.ws.readyState).toBe(stays.ws.OPEN)
  await ports.hosts.replace({ ...present(await ports.hosts.find('far')), tags: [] })
  expect((await stays.ended).code).toBe(1008)
})

test('1011: the rights could not be checked twice in a row', async () => {
  const service = await world({ recheck: 50 })
  const opened = await service.open('/ws/mute')
  vi.spyOn(service.ports.identities, 'bySession').mockRejectedValue(internalError('no store'))
  expect((await opened.ended).code).toBe(1011)
})
