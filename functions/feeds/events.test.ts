import { expect, onTestFinished, test } from 'vitest'
import { backupRun } from '../../adapters/testing/contract/samples.ts'
import type { Json } from '../../adapters/testing/json.ts'
import { emitEvent } from '../../adapters/testing/memory/engine-events.ts'
import { start } from '../../adapters/testing/memory/engine-life.ts'
import { hostNameOf } from '../../adapters/testing/memory/hosts.ts'
import { present } from '../../adapters/testing/present.ts'
import { rawClient } from '../../adapters/testing/raw-http.ts'
import { call } from '../../local/harness/call.ts'
import { feedWorld, type OpenFeed } from '../../local/harness/feeds.ts'
import { accountOf } from '../../local/harness/sign-in.ts'
import { givenContainer, givenHost, shop, world } from '../../local/harness/world.ts'
import login from '../auth/login.ts'
import { evaluateHost } from '../core/alerts/evaluate-host.ts'
import { alertRule } from '../core/alerts/rule-samples.ts'
import { serviceRow } from '../core/audit/row.ts'
import { internalError } from '../core/errors.ts'
import create from '../stacks/create.ts'
import deploy from '../stacks/deploy.ts'
import { EventMessage } from './schema.ts'
import './events.ts'

async function listening(limits = {}) {
  const made = world()
  const id = await givenContainer(made, 'one')
  const service = await feedWorld({ ports: made.ports, limits })
  onTestFinished(() => service.close(AbortSignal.abort()))
  const refusedLogin = () =>
    call(login, {
      ports: made.ports,
      route: 'POST /auth/login',
      body: { username: 'nobody', password: 'wrong wrong' },
    })
  const createShop = async () => {
    const { ports } = made
    const body = { name: 'shop', compose: shop }
    await call(create, { ports, route: 'POST /stacks', as: 'admin', body })
  }
  return { ...made, service, id, refusedLogin, createShop }
}

/** Returns the messages up to the first of that kind. */
async function until(feed: OpenFeed, kind: string): Promise<Json[]> {
  const messages: Json[] = []
  while (messages.at(-1)?.kind !== kind) messages.push(EventMessage.parse(await feed.json()))
  return messages
}
/** Returns the messages up to the one after the past events. */
async function caughtUp(feed: OpenFeed): Promise<Json[]> {
  const messages: Json[] = []
  while (!('caught_up' in (messages.at(-1) ?? {}))) {
    messages.push(EventMessage.parse(await feed.json()))
  }
  return messages
}
const last = async (feed: OpenFeed, kind: string) => (await until(feed, kind)).at(-1)
const kinds = (messages: Json[]) => messages.map(({ kind }) => kind)

test('101: sends events of the Engine with the details of the container', async () => {
  const { service, engine, id } = await listening()
  const feed = await service.open('/ws/events', 'viewer')
  await engine.act(id, { kind: 'kill' })
  expect(await last(feed, 'container.die')).toMatchObject({
    source: 'docker',
    host_id: 'local',
    host_name: 'Cellar',
    by: null,
    subject: { kind: 'container', id, name: 'one' },
    details: { image: 'busybox:latest', exit_code: 137 },
  })
})

test('sends a deployment with its steps and the user who started it', async () => {
  const { service, ports, createShop } = await listening()
  await createShop()
  const feed = await service.open('/ws/events', 'viewer')
  const route = 'POST /stacks/{name}/deploy'
  await call(deploy, { ports, route, as: 'operator', path: { name: 'shop' }, body: {} })
  const told = await until(feed, 'stack.deploy.ended')
  expect(kinds(told)).toContain('stack.deploy.begun')
  const steps = told.filter(({ kind }) => kind === 'stack.deploy.step')
  expect(steps.map(({ details }) => details.name)).toContain('shop-web-1')
  expect(told.at(-1)).toMatchObject({
    source: 'service',
    host_id: 'local',
    by: 'operator',
    subject: { kind: 'stack', id: 'shop', name: 'shop' },
    details: { status: 'succeeded', error: null },
  })
})

test('sends why a step of a deployment failed', async () => {
  const { service, ports, engine, createShop } = await listening()
  await createShop()
  engine.failing = (step) =>
    step.action === 'start' ? internalError('the port is taken') : undefined
  const feed = await service.open('/ws/events', 'viewer')
  const route = 'POST /stacks/{name}/deploy'
  await call(deploy, { ports, route, as: 'operator', path: { name: 'shop' }, body: {} })
  const told = await until(feed, 'stack.deploy.ended')
  const steps = told.filter(({ kind }) => kind === 'stack.deploy.step')
  const errors = steps.flatMap(({ details }) => details.error ?? [])
  expect(errors).toEqual(['the port is taken'])
  for (const { details } of steps) expect('error' in details).toBe(details.status === 'failed')
})

test('sends each alert that fires or resolves once, including past ones', async () => {
  const { service, ports, id, engine } = await listening()
  await ports.alertRules.create(
    alertRule({ metric: 'container_down', operator: 'eq', threshold: 1 }),
  )
  const local = present(await ports.hosts.find('local'))
  const look = async () => {
    const lease = present(await ports.leases.acquire('look', 'p', 60_000))
    await evaluateHost(local, lease, 15_000, ports)
    ports.clock.advance(1000)
  }
  await look()
  const feed = await service.open('/ws/events', 'viewer')
  await engine.act(id, { kind: 'kill' })
  await look()
  const fired = await last(feed, 'alert.firing')
  expect(fired).toMatchObject({
    source: 'service',
    host_id: 'local',
    subject: { kind: 'container', id, name: 'one' },
    details: { rule: 'busy', metric: 'container_down', severity: 'warning', value: 1 },
  })
  await engine.act(id, { kind: 'start' })
  await look()
  expect((await until(feed, 'alert.resolved')).map(({ kind }) => kind)).not.toContain(
    'alert.firing',
  )
  const since = new Date(ports.clock.now() - 60_000).toISOString()
  const past = await service.open(`/ws/events?since=${since}`, 'viewer')
  expect((await until(past, 'alert.resolved')).some((one) => one.id === fired.id)).toBe(true)
})

test('sends events according to the current permissions of the caller', async () => {
  const { service, engine, id, ports, refusedLogin } = await listening()
  const [viewer, admin] = [
    await service.open('/ws/events', 'viewer'),
    await service.open('/ws/events', 'admin'),
  ]
  await refusedLogin()
  expect(await last(admin, 'auth.login')).toMatchObject({
    details: { outcome: 'refused', status: 401 },
  })
  await engine.act(id, { kind: 'kill' })
  expect(kinds(await until(viewer, 'container.die'))).not.toContain('auth.login')
  const account = await accountOf(ports, 'viewer')
  await ports.accounts.replace({ ...account, role: 'admin' })
  ports.clock.advance(3000)
  await refusedLogin()
  expect(await last(viewer, 'auth.login')).toMatchObject({ source: 'service' })
})

test('only events for readers of the audit log have the address of a user', async () => {
  const { service, ports, createShop, refusedLogin } = await listening()
  const live = await service.open('/ws/events', 'viewer')
  const audit = await service.open('/ws/events', 'admin')
  await createShop()
  await refusedLogin()
  const since = new Date(ports.clock.now() - 60_000).toISOString()
  const past = await service.open(`/ws/events?since=${since}`, 'viewer')
  for (const feed of [live, past]) {
    const created = await last(feed, 'stack.create')
    expect(created).toMatchObject({ by: 'admin', details: { outcome: 'succeeded' } })
    expect(created.details).not.toHaveProperty('ip')
  }
  expect(await last(audit, 'auth.login')).toMatchObject({ details: { ip: '127.0.0.1' } })
})

test('sends events of a backup only to those who may read all its sources', async () => {
  const { service, ports } = await listening()
  const live = await service.open('/ws/events', 'viewer')
  const admin = await service.open('/ws/events', 'admin')
  const since = new Date(ports.clock.now()).toISOString()
  ports.clock.advance(1)
  const startedAt = ports.clock.now()
  const ran = (id: string, kind: 'system' | 'volume') =>
    ports.backupRuns.create({ ...backupRun(id, `job-${id}`), kinds: [kind], startedAt })
  await ran('1', 'system')
  await ran('2', 'volume')
  ports.clock.advance(1000)
  expect(await last(admin, 'backup.begun')).toMatchObject({ subject: { id: 'job-1' } })
  const past = await service.open(`/ws/events?since=${since}`, 'viewer')
  for (const feed of [live, past]) {
    expect(await last(feed, 'backup.begun')).toMatchObject({ subject: { id: 'job-2' } })
  }
})

test('sends only events of hosts in scope', async () => {
  const { service, engine, id, ports, createShop } = await listening()
  const far = await givenHost({ ports } as never, 'far', { tags: ['lab'] })
  const distant = await givenContainer(far, 'distant')
  const near = await service.open('/ws/events?host=local', 'admin')
  const scoped = await service.open('/ws/events', {
    username: 'lab',
    role: 'admin',
    scopeTags: ['lab'],
  })
  await createShop()
  await engine.act(id, { kind: 'kill' })
  await far.engine.act(distant, { kind: 'kill' })
  await far.engine.act(distant, { kind: 'start' })
  const told = await until(scoped, 'container.start')
  expect(told.map(({ host_id, host_name, kind }) => [host_id, host_name, kind])).toEqual([
    ['far', hostNameOf('far'), 'container.die'],
    ['far', hostNameOf('far'), 'container.start'],
  ])
  expect(await last(near, 'stack.create')).toMatchObject({ host_id: 'local' })
  expect(near.messages.join()).not.toContain('distant')
})

test('since: sends each stored event once and the gap before it', async () => {
  const { service, engine, id, ports, refusedLogin } = await listening()
  await refusedLogin()
  await engine.act(id, { kind: 'kill' })
  const since = new Date(ports.clock.now() - 60_000).toISOString()
  const feed = await service.open(`/ws/events?since=${since}`)
  expect(await feed.json()).toEqual({
    gap: { host_id: 'local', host_name: 'Cellar', from: since, to: expect.any(String) },
  })
  const told = await until(feed, 'container.die')
  expect(kinds(told).sort()).toEqual(['auth.login', 'container.die', 'container.start'])
  await engine.act(id, { kind: 'start' })
  expect(kinds(await until(feed, 'container.start'))).toEqual(['container.start'])
})

test('caught_up: says that the past events were all, whatever the caller may see', async () => {
  const { service, engine, id, ports } = await listening()
  const now = new Date(ports.clock.now()).toISOString()
  const since = new Date(ports.clock.now() - 60_000).toISOString()
  await givenHost({ ports } as never, 'far', { tags: ['lab'] })
  const open = (host: string) =>
    service.open(`/ws/events?host=${host}&since=${since}&caught_up=true`)
  const [near, far] = [await open('local'), await open('far')]
  const past = await caughtUp(near)
  expect(past.at(-1)).toEqual({ caught_up: now })
  expect(kinds(past)).toContain('container.start')
  // The host does not respond: its events are lost, not absent.
  expect(await caughtUp(far)).toEqual([{ gap: expect.anything() }, { caught_up: now }])
  await engine.act(id, { kind: 'kill' })
  expect(await last(near, 'container.die')).toMatchObject({ host_id: 'local' })
})

test('caught_up: comes at once if no past events were asked for', async () => {
  const { service } = await listening()
  expect(await caughtUp(await service.open('/ws/events?caught_up=true'))).toHaveLength(1)
})

test('after an outage of an Engine sends the events it kept and the gap for the rest', async () => {
  const { service, engine, id, ports } = await listening()
  await engine.act(id, { kind: 'kill' })
  ports.clock.advance(5000)
  const feed = await service.open('/ws/events')
  const away = async (meanwhile: () => void) => {
    engine.offline = internalError('away')
    engine.state.touch()
    await new Promise((resolve) => setImmediate(resolve))
    ports.clock.advance(5000)
    meanwhile()
    ports.clock.advance(5000)
    engine.offline = undefined
    engine.state.touch()
  }
  const container = present(engine.state.containers.get(id))
  await away(() => start(engine.state, container))
  expect(await feed.json()).toMatchObject({ kind: 'container.start', subject: { name: 'one' } })
  await away(() => {
    engine.state.events.length = 0
  })
  expect(await feed.json()).toEqual({
    gap: {
      host_id: 'local',
      host_name: 'Cellar',
      from: '2026-06-01T12:00:15.000Z',
      to: '2026-06-01T12:00:25.000Z',
    },
  })
})

test('400, 401, 403, 404: rejects invalid requests before the upgrade', async () => {
  const { service, ports } = await listening()
  await givenHost({ ports } as never, 'far', { tags: ['lab'] })
  const status = (path: string, as: Parameters<typeof service.open>[1] = 'viewer') =>
    service.open(path, as).then(
      () => 101,
      (error) => error.status,
    )
  expect(await status('/ws/events?since=yesterday')).toBe(400)
  expect(await status('/ws/events', { token: 'none' })).toBe(401)
  const scoped = { username: 'lab', scopeTags: ['lab'] }
  expect(await status('/ws/events?host=local', scoped)).toBe(403)
  expect(await status('/ws/events?host=none')).toBe(404)
})

test('1013: closes the feed of a stalled reader, while others receive everything', async () => {
  const { service, engine, id } = await listening({ ping: 2000 })
  const others = await Promise.all([service.open('/ws/events'), service.open('/ws/events')])
  const token = await service.token('viewer')
  const client = await rawClient(service.port)
  client.socket.pause()
  client.write(
    `GET /api/v1/ws/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
  )
  await expect.poll(() => service.server.size, { timeout: 15_000 }).toBe(3)
  const container = present(engine.state.containers.get(id))
  for (let number = 0; number < 500; number += 1) {
    emitEvent(engine.state, container, 'update', { number, filler: 'x'.repeat(40_000) })
    engine.state.touch()
    for (const feed of others) {
      expect(await last(feed, 'container.update')).toMatchObject({ details: { number } })
    }
  }
  const codes = () => service.log.lines.map(({ fields }) => fields.close_code)
  await expect.poll(codes, { timeout: 15_000 }).toEqual([1013])
  expect(others.map(({ ws }) => ws.readyState)).toEqual([1, 1])
})

test('heartbeat: one is sent every 30 s, to those only who ask for it', async () => {
  const { service, engine, id, ports } = await listening()
  const asking = await service.open('/ws/events?heartbeat=true', 'viewer')
  const other = await service.open('/ws/events', 'viewer')
  for (const _ of [1, 2]) {
    ports.clock.advance(30_000)
    const at = new Date(ports.clock.now()).toISOString()
    expect(EventMessage.parse(await asking.json())).toEqual({ heartbeat: at })
  }
  await engine.act(id, { kind: 'kill' })
  expect((await until(other, 'container.die')).filter((one) => 'heartbeat' in one)).toEqual([])
})

test('your own event on a host outside your scope has no name of it', async () => {
  const { service, ports } = await listening()
  await givenHost({ ports } as never, 'far', { tags: ['office'] })
  const as = { username: 'lab', role: 'admin', scopeTags: ['lab'] }
  const [scoped, all] = [await service.open('/ws/events', as), await service.open('/ws/events')]
  const account = present(await ports.accounts.findByUsername('lab'))
  const row = {
    id: 'r',
    at: ports.clock.now(),
    action: 'volumes.delete',
    outcome: 'refused',
  } as const
  const of = { subject: null, hosts: ['far'], userId: account.id, username: 'lab' }
  await ports.audit.append(serviceRow({ ...row, ...of }))
  const named = { host_id: 'far', host_name: hostNameOf('far') }
  expect(await last(all, 'volume.delete')).toMatchObject(named)
  expect(await last(scoped, 'volume.delete')).toMatchObject({ ...named, host_name: null })
})
