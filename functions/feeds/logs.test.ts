import { expect, onTestFinished, test } from 'vitest'
import { print } from '../../adapters/testing/memory/engine-streams.ts'
import { present } from '../../adapters/testing/present.ts'
import { rawClient } from '../../adapters/testing/raw-http.ts'
import { type FeedWorld, feedWorld, type OpenFeed } from '../../local/harness/feeds.ts'
import { givenContainer, givenHost, givenStack, world } from '../../local/harness/world.ts'
import { LogMessage } from './schema.ts'
import './logs.ts'

async function followed() {
  const made = world()
  const id = await givenContainer(made, 'one', { command: ['sleep', '60'] })
  const service = await feedWorld({ ports: made.ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const say = (...lines: string[]) => print(made.engine.state, id, ...lines)
  return { ...made, service, id, say }
}

/** Returns the lines up to and including `last`. */
async function until(feed: OpenFeed, last: string): Promise<string[]> {
  const lines: string[] = []
  while (lines.at(-1) !== last) {
    const message = LogMessage.parse(await feed.json())
    if ('data' in message) lines.push(...message.data.slice(0, -1).split('\n'))
  }
  return lines
}

test('101: sends past lines, then new ones, then the exit code', async () => {
  const { service, id, say, engine } = await followed()
  say('one', 'two', 'three')
  const feed = await service.open(`/ws/logs/${id}?tail=2`, 'viewer')
  expect(await until(feed, 'three')).toEqual(['two', 'three'])
  say('four')
  expect(await until(feed, 'four')).toEqual(['four'])
  await engine.act(id, { kind: 'stop' })
  expect(await feed.json()).toEqual({ end: { exit_code: 143 } })
  expect(await feed.ended).toMatchObject({ code: 1000 })
})

test('sends the time of each line on request', async () => {
  const { service, id, say, engine } = await followed()
  say('one', 'two', 'three')
  const feed = await service.open(`/ws/logs/${id}?times=true&tail=2`)
  const times = (await engine.logs(id, { tail: 2 })).map(({ time }) => time)
  expect(await feed.json()).toMatchObject({ data: 'two\nthree\n', time: times[1], times })
  await engine.act(id, { kind: 'stop' })
  expect(await feed.json()).toEqual({ end: { exit_code: 143 } })
})

test('finds a container by name, on another host, without following it', async () => {
  const { service, say, ports } = await followed()
  say('one', 'two')
  const feed = await service.open('/ws/logs/one?follow=false&tail=all')
  expect(await until(feed, 'two')).toEqual(['one', 'two'])
  expect(await feed.ended).toMatchObject({ code: 1000 })
  const far = await givenHost({ ports } as never, 'far')
  const id = await givenContainer(far, 'distant')
  print(far.engine.state, id, 'from afar')
  const other = await service.open('/ws/logs/distant?host=far')
  expect(await until(other, 'from afar')).toEqual(['from afar'])
})

test('400, 401, 403, 404: rejects invalid requests before the upgrade', async () => {
  const { service, id, ports } = await followed()
  await givenHost({ ports } as never, 'far')
  const status = (path: string, as: Parameters<typeof service.open>[1] = 'viewer') =>
    service.open(path, as).then(
      () => 101,
      (error) => error.status,
    )
  expect(await status(`/ws/logs/${id}?tail=-1`)).toBe(400)
  expect(await status(`/ws/logs/${id}?since=yesterday`)).toBe(400)
  expect(await status(`/ws/logs/${id}`, { token: 'none' })).toBe(401)
  expect(await status(`/ws/logs/${id}?host=far`, { scopeTags: ['red'], username: 'red' })).toBe(403)
  expect(await status('/ws/logs/none')).toBe(404)
  expect(await status(`/ws/logs/${id}?host=none`)).toBe(404)
})

test('many clients share one stream of the Engine, and a late one misses nothing', async () => {
  const { service, id, say, ports, engine } = await followed()
  let streams = 0
  const { followLogs } = engine
  engine.followLogs = (...given) => {
    streams += 1
    return followLogs(...given)
  }
  say('one', 'two')
  const feeds = await Promise.all(
    [0, 1, 2, 100].map((tail) => service.open(`/ws/logs/${id}?tail=${tail}`)),
  )
  // All have read their past lines by then, as the first feed shows.
  for (const feed of feeds.slice(1)) await until(feed, 'two')
  await expect.poll(() => ports.streams.size).toBe(1)
  say('three')
  await until(present(feeds[0]), 'three')
  const late = await service.open(`/ws/logs/${id}?tail=2`)
  say('four')
  expect(await until(late, 'four')).toEqual(['two', 'three', 'four'])
  for (const feed of feeds) await until(feed, 'four')
  expect(feeds[0]?.messages).toHaveLength(2)
  expect(streams).toBe(1)
  for (const { ws } of [...feeds, late]) ws.terminate()
  await expect.poll(() => ports.streams.size).toBe(0)
})

test('since a time, without a number of lines: sends all that is later', async () => {
  const { service, id, say } = await followed()
  say('before')
  const [first] = (await linesOf(service, id)).slice(-1)
  const lines = Array.from({ length: 250 }, (_, index) => `line ${index}`)
  say(...lines)
  const feed = await service.open(`/ws/logs/${id}?since=${first}`)
  expect(await until(feed, 'line 249')).toEqual(lines)
  feed.ws.close()
  const few = await service.open(`/ws/logs/${id}?since=${first}&tail=2`)
  expect(await until(few, 'line 249')).toEqual(['line 248', 'line 249'])
  const usual = await service.open(`/ws/logs/${id}`)
  expect(await until(usual, 'line 249')).toHaveLength(100)
})

/** Returns the times of all lines of a log. */
async function linesOf(service: FeedWorld, id: string): Promise<string[]> {
  const feed = await service.open(`/ws/logs/${id}?tail=all&follow=false&times=true`)
  await feed.ended
  return feed.messages.flatMap((text) => JSON.parse(String(text)).times)
}

test('since a time: sends later lines only, one per message', async () => {
  const { service, id, say } = await followed()
  say('one', 'two', 'three')
  const all = await service.open(`/ws/logs/${id}?tail=all&follow=false`)
  await all.ended
  const [message] = all.messages.map((text) => JSON.parse(String(text)))
  const first = message.time.replace('002Z', '000Z')
  const feed = await service.open(`/ws/logs/${id}?tail=all&since=${first}`)
  expect([await feed.json(), await feed.json()]).toMatchObject([
    { data: 'two\n' },
    { data: 'three\n' },
  ])
})

test('stops reading a whole log while its client stalls, and ends when the client disconnects', async () => {
  const { service, id, engine, ports } = await followed()
  let [lines, isOver] = [0, false]
  engine.followLogs = async function* (_id, _options, signal) {
    try {
      while (!signal.aborted) {
        lines += 16
        const line = { stream: 'stdout', time: '2026-06-01T12:00:00.000000000Z' } as const
        yield Array.from({ length: 16 }, () => ({ ...line, line: 'x'.repeat(1000) }))
      }
    } finally {
      isOver = true
    }
  }
  const token = await service.token('viewer')
  const client = await rawClient(service.port)
  client.socket.pause()
  client.write(
    `GET /api/v1/ws/logs/${id}?tail=all HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  let before = -1
  const rests = () => {
    const isStill = lines > 0 && lines === before
    before = lines
    return isStill
  }
  await expect.poll(rests, { timeout: 15_000, interval: 300 }).toBe(true)
  // The system's own buffers hold some megabytes.
  expect(lines).toBeLessThan(20_000)
  client.socket.resetAndDestroy()
  await expect.poll(() => isOver, { timeout: 15_000 }).toBe(true)
  expect(ports.streams.size).toBe(0)
})

test('409: the log driver does not support reading, with and without following', async () => {
  const { service, ...made } = await followed()
  const compose =
    'services: {a: {image: "busybox:latest", command: sleep 60, logging: {driver: none}}}'
  await givenStack(made as never, 'mute', { compose })
  for (const query of ['tail=1', 'tail=all', 'follow=false', 'tail=0']) {
    const open = service.open(`/ws/logs/mute-a-1?${query}`)
    await expect(open, query).rejects.toMatchObject({ status: 409 })
  }
  expect(made.ports.streams.size).toBe(0)
})

test('404: the container is removed between the list and its log', async () => {
  const { service, id, engine } = await followed()
  const listed = await engine.containers({ all: true })
  await engine.removeContainer(id, { force: true })
  engine.containers = async () => listed
  await expect(service.open(`/ws/logs/${id}`)).rejects.toMatchObject({ status: 404 })
})

test('opens before an Engine that does not answer has sent anything', async () => {
  const { service, id, engine, ports, say } = await followed()
  const { logs } = engine
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  engine.logs = async (...given) => {
    await answered
    return logs(...given)
  }
  const opening = service.open(`/ws/logs/${id}`)
  const isOpen = opening.then(() => true)
  // The limit on what a feed reads before it opens.
  const advance = () => {
    ports.clock.advance(5_000)
    return Promise.race([isOpen, Promise.resolve(false)])
  }
  await expect.poll(advance).toBe(true)
  answer()
  say('one')
  expect(await until(await opening, 'one')).toEqual(['one'])
})
