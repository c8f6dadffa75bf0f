import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { call } from '../../local/harness/call.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { internalError } from '../core/errors.ts'
import { sampleOf } from '../core/metrics/history.ts'
import metrics from './metrics.ts'

/** Sets up a container that was sampled three times, 15 s apart, the last time now. */
async function sampled() {
  const here = world()
  const { ports, engine } = here
  const id = await givenContainer(here, 'web')
  const signal = new AbortController().signal
  for (const cpuPercent of [null, 50, 60]) {
    ports.clock.advance(15_000)
    engine.state.usage.set('web', { cpuPercent })
    const sample = sampleOf(ports.clock.now(), await engine.sample(signal), undefined)
    await ports.metricHistory.add('local', sample)
  }
  return { ...here, id }
}

test('200: returns samples by ID or name, oldest first', async () => {
  const { ports, id } = await sampled()
  const { json } = await call(metrics, { ports, as: 'viewer', path: { id: 'web' } })
  expect(json.map(({ cpu_percent }: Json) => cpu_percent)).toEqual([null, 50, 60])
  expect(json[2]).toEqual({
    time: '2026-06-01T12:00:45.000Z',
    cpu_percent: 60,
    memory: 10_485_760,
    memory_percent: 10,
    network_rx: 1000,
    network_tx: 2000,
    block_read: 4096,
    block_write: 8192,
    pids: 1,
  })
  expect((await call(metrics, { ports, as: 'viewer', path: { id } })).json).toEqual(json)
})

test('200: accepts `since` as a date or in seconds', async () => {
  const { ports, id } = await sampled()
  const since = async (text: string) =>
    (await call(metrics, { ports, as: 'viewer', path: { id }, query: { since: text } })).json.length
  expect(await since('2026-06-01T12:00:30Z')).toBe(2)
  expect(await since(String(Date.UTC(2026, 5, 1, 12, 0, 45) / 1000))).toBe(1)
  expect(await since('2026-06-02T00:00:00Z')).toBe(0)
})

test('200: returns the newest 1000 samples and says that there are more', async () => {
  const { ports, engine, id } = await sampled()
  const containers = await engine.sample(new AbortController().signal)
  for (let count = 0; count < 1000; count += 1) {
    ports.clock.advance(3_290)
    await ports.metricHistory.add('local', sampleOf(ports.clock.now(), containers, undefined))
  }
  const { headers, json } = await call(metrics, { ports, as: 'viewer', path: { id } })
  expect(json).toHaveLength(1000)
  expect(Date.parse(json.at(-1).time)).toBe(ports.clock.now())
  expect(headers['x-result-truncated']).toBe('true')
})

test('200: also returns samples of an offline host, by full ID', async () => {
  const { ports, engine, id } = await sampled()
  engine.offline = internalError('away')
  expect((await call(metrics, { ports, as: 'viewer', path: { id } })).json).toHaveLength(3)
})

test('200: returns an empty list for a container without samples', async () => {
  const here = world()
  const id = await givenContainer(here, 'new')
  const { status, json } = await call(metrics, { ports: here.ports, as: 'viewer', path: { id } })
  expect([status, json]).toEqual([200, []])
})

test('400: invalid ID or time', async () => {
  expect((await call(metrics, { as: 'viewer', path: { id: '../x' } })).status).toBe(400)
  const query = { since: 'yesterday' }
  expect((await call(metrics, { as: 'viewer', path: { id: 'web' }, query })).status).toBe(400)
})

test('404: unknown container or host', async () => {
  const { ports } = await sampled()
  const ask = (id: string, query = {}) =>
    call(metrics, { ports, as: 'viewer', path: { id }, query })
  expect((await ask('none')).status).toBe(404)
  expect((await ask('f'.repeat(64))).status).toBe(404)
  expect((await ask('web', { host: 'none' })).status).toBe(404)
})

test('403: the host is out of scope', async () => {
  const { ports, id } = await sampled()
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  const query = { host: 'local' }
  expect((await call(metrics, { ports, as, path: { id }, query })).status).toBe(403)
})
