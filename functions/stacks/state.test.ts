import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { emitEvent } from '../../adapters/testing/memory/engine-events.ts'
import type { MemoryContainer } from '../../adapters/testing/memory/engine-state.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import kill from '../containers/kill.ts'
import start from '../containers/start.ts'
import stopContainer from '../containers/stop.ts'
import { evaluateHost } from '../core/alerts/evaluate-host.ts'
import { internalError } from '../core/errors.ts'
import deploy from './deploy.ts'
import get from './get.ts'
import list from './list.ts'
import remove from './remove.ts'
import status from './status.ts'
import stop from './stop.ts'

const path = { name: 'shop' }
const asOperator = ({ ports }: World) => ({ ports, as: 'operator' as const, path })

const compose = `services:
  db: {image: busybox:latest, command: sleep 3600, restart: always}
  web: {image: busybox:latest, command: sleep 3600, ports: ["80"]}
  seed: {image: busybox:latest, command: exit 0}
`

async function shopWorld() {
  const here = world()
  await givenStack(here, 'shop', { compose })
  const containerOf = (service: string) =>
    present(
      [...here.engine.state.containers.values()].find(({ name }) =>
        name.startsWith(`shop-${service}-`),
      ),
    )
  const seen = async () => {
    here.engine.state.touch()
    const [listed] = (await call(list, { ports: here.ports, as: 'viewer' })).json
    const { json: one } = await call(get, { ports: here.ports, as: 'viewer', path })
    const { json: rows } = await call(status, { ports: here.ports, as: 'viewer', path })
    expect([one.status, one.services]).toEqual([listed.status, listed.services])
    const up = rows.filter((row: Json) => /^(running|completed)$/.test(row.service_state))
    expect(new Set(up.map((row: Json) => row.service)).size).toBe(listed.services.running)
    const states = rows.map((row: Json) => [row.service, row.service_state])
    const details = rows.map((row: Json) => [row.service, row.detail])
    return {
      stack: listed,
      status: listed.status,
      running: listed.services.running,
      states: Object.fromEntries(states),
      details: Object.fromEntries(details),
    }
  }
  return { ...here, containerOf, seen }
}

/** Returns the list of stacks while the Engine does not describe one container in time. */
async function listedWithout({ engine, ports }: World, id: string): Promise<Json> {
  const { runs } = engine
  engine.runs = (containers) =>
    containers.some((one) => one.id === id) ? new Promise(() => {}) : runs(containers)
  const answer = call(list, { ports, as: 'viewer' })
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  ports.clock.advance(1_500)
  return (await answer).json
}

test('200: list, stack and status agree on a running stack', async () => {
  const here = await shopWorld()
  expect(await here.seen()).toMatchObject({
    status: 'running',
    running: 3,
    states: { db: 'running', seed: 'completed', web: 'running' },
  })
})

test('200: a crash loop is failed at every moment', async () => {
  const here = await shopWorld()
  const db = here.containerOf('db')
  db.restarts = 3
  for (const state of ['restarting', 'running'] as const) {
    db.state = state
    db.startedAt = here.engine.state.now()
    expect(await here.seen()).toMatchObject({ status: 'failed', running: 2 })
    here.ports.clock.advance(9_000)
    expect(await here.seen()).toMatchObject({
      status: 'failed',
      states: { db: 'restarting' },
      details: { db: 'restarted 3 times by its restart policy' },
    })
  }
  here.ports.clock.advance(1_000)
  expect(await here.seen()).toMatchObject({ status: 'running', running: 3 })
})

/** Lets a container fail, and be started by its restart policy. */
function failAndRestart({ ports, engine }: World, container: MemoryContainer) {
  emitEvent(engine.state, container, 'die')
  container.finishedAt = engine.state.now()
  container.restarts += 1
  ports.clock.advance(100)
  container.startedAt = engine.state.now()
  emitEvent(engine.state, container, 'start')
}

async function sampleHost({ ports }: World) {
  const lease = present(await ports.leases.acquire('look:local', 'p1', 20_000))
  await evaluateHost(present(await ports.hosts.find('local')), lease, 15_000, ports)
}

test('200: a service that fails after 25 s again and again is failed at every moment', async () => {
  const here = await shopWorld()
  const db = here.containerOf('db')
  db.createdAt = '2026-01-01T00:00:00Z'
  for (let seconds = 5; seconds <= 200; seconds += 5) {
    here.ports.clock.advance(5_000)
    if (seconds % 15 === 0) await sampleHost(here)
    if (seconds % 25 === 0) failAndRestart(here, db)
    if (db.restarts < 3) continue
    expect(await here.seen()).toMatchObject({
      status: 'failed',
      running: 2,
      states: { db: 'restarting' },
      details: { db: `restarted ${db.restarts} times by its restart policy` },
    })
  }
  expect(db.restarts).toBe(8)
  here.ports.clock.advance(60_000)
  expect(await here.seen()).toMatchObject({ status: 'running', states: { db: 'running' } })
})

test('200: a service in a crash loop that a user starts is running', async () => {
  const here = await shopWorld()
  const db = here.containerOf('db')
  for (let restarts = 0; restarts < 4; restarts += 1) {
    here.ports.clock.advance(25_000)
    failAndRestart(here, db)
    await sampleHost(here)
  }
  expect(await here.seen()).toMatchObject({ status: 'failed' })
  await here.engine.act(db.id, { kind: 'stop' })
  await here.engine.act(db.id, { kind: 'start' })
  for (let second = 0; second < 60; second += 5) {
    expect(await here.seen()).toMatchObject({ status: 'running', states: { db: 'running' } })
    here.ports.clock.advance(5_000)
  }
})

test('200: a container that the Engine does not describe is judged by its restarts so far', async () => {
  const here = await shopWorld()
  const db = here.containerOf('db')
  failAndRestart(here, db)
  here.engine.state.touch()
  expect(await listedWithout(here, db.id)).toMatchObject([
    { status: 'failed', services: { running: 2 } },
  ])
})

test('200: one of two services stopped with this service is partial, and says by whom', async () => {
  const here = await shopWorld()
  const { id } = here.containerOf('web')
  await call(stopContainer, { ...asOperator(here), path: { id } })
  const seen = await here.seen()
  expect(seen).toMatchObject({ status: 'partial', running: 2, states: { web: 'stopped' } })
  expect(seen.details.web).toMatch(/^stopped by operator \d\d:\d\d UTC$/)
  await call(start, { ...asOperator(here), path: { id } })
  expect(await here.seen()).toMatchObject({ status: 'running', running: 3 })
  // The stop was of an earlier run.
  const web = here.containerOf('web')
  here.ports.clock.advance(60_000)
  Object.assign(web, { state: 'exited', exitCode: 1, startedAt: here.engine.state.now() })
  here.engine.state.events.length = 0
  expect(await here.seen()).toMatchObject({ status: 'failed', states: { web: 'failed' } })
})

test('200: a container killed with this service is stopped, whatever its exit code', async () => {
  const here = await shopWorld()
  const web = here.containerOf('web')
  await call(kill, { ...asOperator(here), path: { id: web.id } })
  web.exitCode = 1
  const seen = await here.seen()
  expect(seen.states.web).toBe('stopped')
  expect(seen.details.web).toContain('stopped by operator')
})

test('200: a signal that need not end a container is not recorded as a stop', async () => {
  const here = await shopWorld()
  const web = here.containerOf('web')
  await call(kill, { ...asOperator(here), path: { id: web.id }, query: { signal: 'SIGHUP' } })
  Object.assign(web, { state: 'exited', exitCode: 1 })
  expect((await here.seen()).states.web).toBe('failed')
})

test('500: a stop that fails is not recorded', async () => {
  const here = await shopWorld()
  const web = here.containerOf('web')
  const { act } = here.engine
  here.engine.act = async () => {
    throw internalError('no answer')
  }
  const answer = await call(stopContainer, { ...asOperator(here), path: { id: web.id } })
  expect(answer.status).toBe(500)
  here.engine.act = act
  Object.assign(web, { state: 'exited', exitCode: 1 })
  expect((await here.seen()).states.web).toBe('failed')
})

test('200: a stop on the host is known by its event', async () => {
  const here = await shopWorld()
  const web = here.containerOf('web')
  await here.engine.act(web.id, { kind: 'stop' })
  web.exitCode = 0
  const seen = await here.seen()
  expect(seen).toMatchObject({ status: 'partial', states: { web: 'stopped' } })
  expect(seen.details.web).toMatch(/^stopped on the host \d\d:\d\d UTC$/)
})

test('200: the port of a service is taken', async () => {
  const here = await shopWorld()
  const web = here.containerOf('web')
  Object.assign(web, { state: 'exited', exitCode: 128, startError: 'the port 80 is allocated' })
  expect(await here.seen()).toMatchObject({
    status: 'failed',
    states: { web: 'failed' },
    details: { web: 'could not be started: the port 80 is allocated' },
  })
})

test('200: the host reboots', async () => {
  const here = await shopWorld()
  for (const service of ['db', 'web', 'seed']) {
    Object.assign(here.containerOf(service), {
      state: 'exited',
      exitCode: service === 'seed' ? 0 : 143,
      finishedAt: here.engine.state.now(),
    })
  }
  here.ports.clock.advance(5_000)
  here.engine.state.startedAt = here.ports.clock.now()
  expect(await here.seen()).toMatchObject({
    status: 'failed',
    states: { db: 'restarting', seed: 'completed', web: 'stopped' },
  })
  here.ports.clock.advance(60_000)
  expect(await here.seen()).toMatchObject({ status: 'stopped', states: { db: 'stopped' } })
})

test('200: removing everything by hand is a failure, stopping the stack is not', async () => {
  const here = await shopWorld()
  for (const { id } of [...here.engine.state.containers.values()]) {
    await here.engine.removeContainer(id, { force: true })
  }
  expect(await here.seen()).toMatchObject({ status: 'failed', running: 0 })
  await call(deploy, { ...asOperator(here), body: {} })
  expect(await here.seen()).toMatchObject({ status: 'running' })
  await call(stop, asOperator(here))
  const seen = await here.seen()
  expect(seen).toMatchObject({ status: 'stopped', running: 0 })
  expect(seen.details.web).toMatch(/^stopped by operator /)
})

test('200: a stop that fails half-way leaves the stack partial', async () => {
  const here = await shopWorld()
  here.engine.failing = (step) =>
    step.action === 'stop' && step.name === 'shop-db-1' ? internalError('busy') : undefined
  expect((await call(stop, asOperator(here))).status).toBe(500)
  const seen = await here.seen()
  expect(seen).toMatchObject({ status: 'partial', states: { db: 'running', web: 'stopped' } })
  expect(seen.stack.last_deployment).toMatchObject({ kind: 'stop', status: 'failed' })
})

test('200: a removal that fails is beside the status', async () => {
  const here = await shopWorld()
  here.engine.failing = (step) => (step.action === 'stop' ? internalError('busy') : undefined)
  await call(remove, { ...asOperator(here), as: 'admin', query: {} })
  expect((await here.seen()).stack).toMatchObject({
    status: 'partial',
    last_deployment: { kind: 'remove', status: 'failed' },
  })
})

test('200: an Engine that does not answer for one container leaves the others', async () => {
  const here = await shopWorld()
  const db = here.containerOf('db')
  Object.assign(db, { state: 'exited', exitCode: 1 })
  here.engine.state.touch()
  expect(await listedWithout(here, db.id)).toMatchObject([
    { status: 'failed', services: { running: 2 } },
  ])
})

test('200: the status is unknown while the host does not answer, and status answers 500', async () => {
  const here = await shopWorld()
  here.engine.offline = internalError('host local: it does not answer')
  const [one] = (await call(list, { ports: here.ports, as: 'viewer' })).json
  expect(one).toMatchObject({ status: 'unknown', services: { total: 3, running: 0 } })
  expect((await call(status, { ports: here.ports, as: 'viewer', path })).status).toBe(500)
})
