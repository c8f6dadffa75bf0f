import { expect, onTestFinished, test } from 'vitest'
import { print } from '../../../adapters/testing/memory/engine-streams.ts'
import { present } from '../../../adapters/testing/present.ts'
import { call } from '../../../local/harness/call.ts'
import { feedWorld, type OpenFeed } from '../../../local/harness/feeds.ts'
import { accountOf } from '../../../local/harness/sign-in.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import { logsPerCaller } from '../../core/access/caller-queues.ts'
import deploy from '../../stacks/deploy.ts'
import remove from '../../stacks/remove.ts'
import update from '../../stacks/update.ts'
import { StackLogMessage } from '../schema.ts'
import './logs.ts'

async function stack(compose?: string) {
  const made = world()
  await givenStack(made, 'shop', compose === undefined ? {} : { compose })
  const service = await feedWorld({ ports: made.ports })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const idOf = (name: string) =>
    present(
      [...made.engine.state.containers.values()].find(
        ({ body }) =>
          (body.Labels as Record<string, string>)['com.docker.compose.service'] === name,
      ),
    ).id
  const say = (name: string, ...lines: string[]) => print(made.engine.state, idOf(name), ...lines)
  return { ...made, service, idOf, say }
}

/** Returns lines as `service: line`, up to and including `last`. */
async function until(feed: OpenFeed, last: string): Promise<string[]> {
  const lines: string[] = []
  while (!lines.at(-1)?.endsWith(`: ${last}`)) {
    const message = StackLogMessage.parse(await feed.json())
    if (!('data' in message)) continue
    const { service, data } = message
    lines.push(
      ...data
        .slice(0, -1)
        .split('\n')
        .map((line) => `${service}: ${line}`),
    )
  }
  return lines
}

test('101: sends past lines of all services in order of time, then new ones, with their service', async () => {
  const { service, say, ports, idOf } = await stack()
  say('db', 'one')
  ports.clock.advance(1000)
  say('web', 'two')
  ports.clock.advance(1000)
  say('db', 'three')
  const feed = await service.open('/ws/stacks/shop/logs', 'viewer')
  expect(await until(feed, 'three')).toEqual(['db: one', 'web: two', 'db: three'])
  say('web', 'four')
  expect(await feed.json()).toMatchObject({
    service: 'web',
    container_id: idOf('web'),
    stream: 'stdout',
    data: 'four\n',
  })
})

test('filters by service, number of lines and time, without following', async () => {
  const { service, say, ports } = await stack()
  say('db', 'one', 'two')
  ports.clock.advance(60_000)
  say('web', 'three')
  const texts = async (query: string) => {
    const feed = await service.open(`/ws/stacks/shop/logs?follow=false&${query}`)
    expect((await feed.ended).code).toBe(1000)
    return feed.messages.map((text) => JSON.parse(String(text)).data)
  }
  expect(await texts('service=db')).toEqual(['one\n', 'two\n'])
  expect(await texts('service=db&service=web')).toEqual(['one\n', 'two\n', 'three\n'])
  expect(await texts('tail=1')).toEqual(['two\n', 'three\n'])
  const since = new Date(ports.clock.now() - 1000).toISOString()
  expect(await texts(`since=${since}`)).toEqual(['three\n'])
})

test.each(['true', 'false'])(
  'sends the whole log in order of time, and all since a time, with follow=%s',
  async (follow) => {
    const { service, say, ports } = await stack()
    say('db', 'before')
    const wanted: string[] = []
    for (let index = 0; index < 150; index += 1) {
      for (const name of ['db', 'web']) {
        ports.clock.advance(1000)
        say(name, `line ${index}`)
        wanted.push(`${name}: line ${index}`)
      }
    }
    ports.clock.advance(1000)
    say('web', 'end')
    const open = (query: string) => service.open(`/ws/stacks/shop/logs?follow=${follow}&${query}`)
    const all = await open('tail=all')
    expect(await until(all, 'end')).toEqual(['db: before', ...wanted, 'web: end'])
    const since = new Date(ports.clock.now() - 200_500).toISOString()
    const later = await open(`since=${since}`)
    expect(await until(later, 'end')).toEqual([...wanted.slice(-200), 'web: end'])
    if (follow === 'false') return expect((await all.ended).code).toBe(1000)
    say('web', 'new')
    for (const feed of [all, later]) expect(await until(feed, 'new')).toEqual(['web: new'])
  },
)

test('follows a container that is recreated or started again', async () => {
  const { service, say, ports, engine, idOf } = await stack()
  const feed = await service.open('/ws/stacks/shop/logs?tail=0')
  const before = idOf('web')
  const body = { force_recreate: true }
  await call(deploy, { ports, as: 'admin', path: { name: 'shop' }, body })
  expect(idOf('web')).not.toBe(before)
  say('web', 'recreated')
  expect(await until(feed, 'recreated')).toEqual(['web: recreated'])
  await engine.act(idOf('db'), { kind: 'stop' })
  say('db', 'while it was away')
  await engine.act(idOf('db'), { kind: 'start' })
  say('db', 'again')
  expect(await until(feed, 'again')).toEqual(['db: while it was away', 'db: again'])
})

test('reads the log of a container that appears later at once, whatever the feed asked for', async () => {
  const { service, say, ports, engine, idOf } = await stack()
  const feed = await service.open('/ws/stacks/shop/logs?tail=all')
  const tails: unknown[] = []
  const { followLogs } = engine
  engine.followLogs = (id, options, signal) => {
    tails.push(options.tail)
    return followLogs(id, options, signal)
  }
  await call(deploy, {
    ports,
    as: 'admin',
    path: { name: 'shop' },
    body: { force_recreate: true },
  })
  say('web', 'recreated')
  expect(await until(feed, 'recreated')).toEqual(['web: recreated'])
  expect(idOf('web')).toBeDefined()
  expect(new Set(tails)).toEqual(new Set([1]))
})

test.each(['true', 'false'])(
  '500: an account that reads too many whole logs, until a feed has read its own, with follow=%s',
  async (follow) => {
    const { service, say, ports } = await stack()
    say('web', 'end')
    const { id } = await accountOf(ports, 'viewer')
    const open = (query: string) =>
      service.open(`/ws/stacks/shop/logs?follow=${follow}&${query}`, 'viewer')
    const endOther = ports.callerLimiter.startReading(id, logsPerCaller - 1)
    const refused = { status: 500, headers: { 'x-error-reason': 'overloaded' } }
    for (const query of ['tail=all', 'since=0']) {
      await expect(open(query)).rejects.toMatchObject(refused)
    }
    expect(await until(await open('tail=1'), 'end')).toEqual(['web: end'])
    endOther()
    ports.callerLimiter.startReading(id, logsPerCaller - 2)
    for (let feeds = 0; feeds < 3; feeds += 1) {
      const feed = await open('since=0')
      expect(await until(feed, 'end')).toEqual(['web: end'])
      if (follow === 'false') await feed.ended
      const isFree = () => ports.callerLimiter.startReading(id, 2)()
      await expect.poll(async () => isFree()).toBeUndefined()
    }
  },
)

test('a feed that fails to open, and one whose client leaves, read nothing any more', async () => {
  const { service, say, ports } = await stack(partlyMute)
  const { id } = await accountOf(ports, 'viewer')
  ports.callerLimiter.startReading(id, logsPerCaller - 2)
  const mute = service.open('/ws/stacks/shop/logs?service=db&tail=all', 'viewer')
  await expect(mute).rejects.toMatchObject({ status: 409 })
  // More than the connection takes, so that the past is still being read.
  say('web', ...Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(60_000)}`))
  const feed = await service.open('/ws/stacks/shop/logs?tail=all', 'viewer')
  feed.ws.pause()
  expect(() => ports.callerLimiter.startReading(id, 2)).toThrow('whole logs')
  feed.ws.terminate()
  await expect.poll(async () => ports.callerLimiter.startReading(id, 2)()).toBeUndefined()
})

test('ends when the stack is deleted', async () => {
  const { service, ports } = await stack()
  const feed = await service.open('/ws/stacks/shop/logs')
  await call(remove, { ports, as: 'admin', path: { name: 'shop' } })
  expect((await feed.ended).code).toBe(1000)
  await expect.poll(() => ports.streams.size).toBe(0)
})

test('403, 404: a stack out of scope, an unknown stack or service', async () => {
  const { service } = await stack()
  const open = (path: string) => service.open(path, { username: 'red', scopeTags: ['red'] })
  const refused = async (opened: Promise<unknown>, status: number, said: string) =>
    expect(opened).rejects.toMatchObject({ status, body: expect.stringContaining(said) })
  await refused(open('/ws/stacks/shop/logs'), 403, 'scope')
  await refused(service.open('/ws/stacks/none/logs'), 404, 'stack none: there is no such stack')
  const unknown = service.open('/ws/stacks/shop/logs?service=db&service=none')
  await refused(unknown, 404, 'stack shop: it has no service none')
})

const unreadable =
  'the log of the container cannot be read: its log driver (none) does not support it'
/** The log of `db` cannot be read. */
const partlyMute = `services:
  db: {image: 'busybox:latest', command: sleep 60, logging: {driver: none}}
  web: {image: 'busybox:latest', command: sleep 60}
`

test.each(['true', 'false'])(
  'says once why a log cannot be read, and sends the others, with follow=%s',
  async (follow) => {
    const { service, say, idOf, engine } = await stack(partlyMute)
    const id = idOf('db')
    say('web', 'one')
    const feed = await service.open(`/ws/stacks/shop/logs?follow=${follow}`)
    expect(await feed.json()).toEqual({ service: 'db', container_id: id, error: unreadable })
    expect(await until(feed, 'one')).toEqual(['web: one'])
    if (follow === 'false') return expect((await feed.ended).code).toBe(1000)
    // A new run of either is another look at both.
    for (const name of ['db', 'web']) {
      await engine.act(idOf(name), { kind: 'restart', timeoutSeconds: 0 })
    }
    say('web', 'two')
    const rest = await feed.json()
    expect(rest).toMatchObject({ service: 'web' })
    while (!feed.messages.join('').includes('two')) await feed.json()
    expect(feed.messages.filter((text) => String(text).includes('error'))).toHaveLength(1)
  },
)

test('says why the log of a container that a deploy adds cannot be read', async () => {
  const { service, say, ports, engine } = await stack()
  const feed = await service.open('/ws/stacks/shop/logs?tail=0')
  const name = { name: 'shop' }
  await call(update, { ports, as: 'admin', path: name, body: { compose: partlyMute } })
  await call(deploy, { ports, as: 'admin', path: name })
  await expect.poll(() => feed.messages.join('')).toContain(unreadable)
  say('web', 'still here')
  expect(await until(feed, 'still here')).toContain('web: still here')
  expect(engine.state.containers.size).toBe(2)
})

test('409: no log of the services asked for can be read, with and without following', async () => {
  const { service } = await stack(partlyMute)
  for (const follow of ['true', 'false']) {
    const open = service.open(`/ws/stacks/shop/logs?service=db&follow=${follow}`)
    await expect(open).rejects.toMatchObject({ status: 409 })
  }
})

test('a container that is removed between the list and its log ends neither form of the feed', async () => {
  const { service, say, idOf, engine, ports } = await stack()
  say('web', 'one')
  const id = idOf('db')
  const { containers } = engine
  const withRemoved = await containers({ all: true })
  await engine.removeContainer(id, { force: true })
  engine.containers = async () => withRemoved
  const past = await service.open('/ws/stacks/shop/logs?follow=false')
  expect(await until(past, 'one')).toEqual(['web: one'])
  expect((await past.ended).code).toBe(1000)
  const feed = await service.open('/ws/stacks/shop/logs')
  expect(await until(feed, 'one')).toEqual(['web: one'])
  // It is listed at the next looks too.
  await expect.poll(() => ports.streams.size).toBe(1)
  say('web', 'two')
  expect(await until(feed, 'two')).toEqual(['web: two'])
})

test('a container that is removed while its log is opened ends the feed of no other', async () => {
  const { service, say, idOf, engine } = await stack()
  const id = idOf('db')
  const { followLogs } = engine
  engine.followLogs = (...given) => {
    if (given[0] === id) engine.state.containers.delete(id)
    return followLogs(...given)
  }
  const feed = await service.open('/ws/stacks/shop/logs')
  say('web', 'one')
  expect(await until(feed, 'one')).toContain('web: one')
})
