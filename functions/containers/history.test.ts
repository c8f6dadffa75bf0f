import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, givenStack, type World, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { recordUsage, type UsageState } from '../core/metrics/record-usage.ts'
import deploy from '../stacks/deploy.ts'
import history from './history.ts'

const minute = 60_000

/** Samples the local host each minute. */
function sampling({ ports, engine }: World) {
  let state: UsageState | undefined
  return async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 1) {
      const containers = await engine.sample(new AbortController().signal)
      const found = { containers, figures: undefined }
      const sample = { at: ports.clock.now(), found, longestGap: 2 * minute }
      state = await recordUsage('local', sample, state, ports)
      ports.clock.advance(minute)
    }
  }
}

const read = ({ ports }: World, id: string, query: Json = { range: '1h' }) =>
  call(history, { ports, as: 'viewer', path: { id }, query })

const minutesOf = ({ json }: Json) => json.points.map(({ time }: Json) => time.slice(14, 16))

test('200: the minutes of a container, by its id or its name', async () => {
  const here = world()
  const id = await givenContainer(here, 'web')
  const pass = sampling(here)
  await pass(1)
  here.engine.state.usage.set('web', { networkRx: 7000, cpuPercent: 80 })
  await pass(2)
  const found = await read(here, 'web')
  expect(found.status).toBe(200)
  expect(found.json).toMatchObject({ step_seconds: 60, recording: true })
  expect(minutesOf(found)).toEqual(['00', '01'])
  expect(found.json.points[1]).toEqual({
    time: '2026-06-01T12:01:00.000Z',
    cpu_percent: { mean: 80, max: 80 },
    memory: { mean: 10_485_760, max: 10_485_760 },
    network_rx: { mean: 100, max: 100 },
    network_tx: { mean: 0, max: 0 },
    block_read: { mean: 0, max: 0 },
    block_write: { mean: 0, max: 0 },
  })
  expect((await read(here, id)).json).toEqual(found.json)
  const { json } = await read(here, id, {})
  expect([json.step_seconds, json.points.length]).toEqual([600, 1])
})

test('200: a recreated container has the history of the one before', async () => {
  const here = world()
  await givenStack(here)
  const pass = sampling(here)
  await pass(2)
  const idOf = async () =>
    present((await here.engine.containers({ all: true })).find((one) => one.service === 'web')).id
  const before = await idOf()
  const body = { force_recreate: true }
  const done = await call(deploy, { ports: here.ports, as: 'admin', path: { name: 'shop' }, body })
  expect(done.json.status).toBe('succeeded')
  await pass(2)
  const after = await idOf()
  expect(after).not.toBe(before)
  expect(minutesOf(await read(here, after))).toEqual(['00', '01', '02'])
  expect(minutesOf(await read(here, 'shop-web-1'))).toEqual(['00', '01', '02'])
})

test('200: a container that is gone, or whose host does not respond, is found by name', async () => {
  const here = world()
  const id = await givenContainer(here, 'web')
  await sampling(here)(3)
  await here.engine.removeContainer(id, { force: true })
  expect(minutesOf(await read(here, 'web'))).toEqual(['00', '01'])
  here.engine.offline = internalError('away')
  expect(minutesOf(await read(here, id))).toEqual(['00', '01'])
})

test('200: a name is that of the container which has it now', async () => {
  const here = world()
  await givenStack(here)
  await sampling(here)(3)
  for (const one of await here.engine.containers({ all: true })) {
    await here.engine.removeContainer(one.id, { force: true })
  }
  await givenContainer(here, 'shop-web-1')
  expect(minutesOf(await read(here, 'shop-web-1'))).toEqual([])
})

test('200: an empty list for a container without samples', async () => {
  const here = world()
  await givenContainer(here, 'new')
  const { status, json } = await read(here, 'new', { range: '30d' })
  expect([status, json.points]).toEqual([200, []])
})

test('400: invalid id or range', async () => {
  const here = world()
  expect((await read(here, '../x')).status).toBe(400)
  expect((await read(here, 'web', { range: 'all' })).status).toBe(400)
})

test('404: unknown container or host', async () => {
  const here = world()
  expect((await read(here, 'none')).status).toBe(404)
  expect((await read(here, 'none', { host: 'none' })).status).toBe(404)
})

test('403: the host is out of scope', async () => {
  const here = world()
  await givenContainer(here, 'web')
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  const asked = { ports: here.ports, as, path: { id: 'web' }, query: { host: 'local' } }
  expect((await call(history, asked)).status).toBe(403)
})
