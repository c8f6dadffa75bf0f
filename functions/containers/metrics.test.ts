import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenContainer, world } from '../../local/harness/world.ts'
import { broken } from '../core/errors.ts'
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

test('200: what it used, oldest first, by id and by name', async () => {
  const { ports, id } = await sampled()
  const { json } = await call(metrics, { ports, as: 'viewer', path: { id: 'web' } })
  expect(json.map(({ cpu_percent }: any) => cpu_percent)).toEqual([null, 50, 60])
  expect(json[2]).toEqual({
    ...{
      time: '2026-06-01T12:00:45.000Z',
      cpu_percent: 60,
      memory: 10_485_760,
      memory_percent: 10,
    },
    ...{ network_rx: 1000, network_tx: 2000, block_read: 4096, block_write: 8192, pids: 1 },
  })
  expect((await call(metrics, { ports, as: 'viewer', path: { id } })).json).toEqual(json)
})

test('200: since an instant, as a date or in seconds', async () => {
  const { ports, id } = await sampled()
  const since = async (text: string) =>
    (await call(metrics, { ports, as: 'viewer', path: { id }, query: { since: text } })).json.length
  expect(await since('2026-06-01T12:00:30Z')).toBe(2)
  expect(await since(String(Date.UTC(2026, 5, 1, 12, 0, 45) / 1000))).toBe(1)
  expect(await since('2026-06-02T00:00:00Z')).toBe(0)
})

test('200: also of one whose host is away, by its whole id', async () => {
  const { ports, engine, id } = await sampled()
  engine.offline = broken('away')
  expect((await call(metrics, { ports, as: 'viewer', path: { id } })).json).toHaveLength(3)
})

test('200: none of one that was not sampled yet', async () => {
  const here = world()
  const id = await givenContainer(here, 'new')
  const { status, json } = await call(metrics, { ports: here.ports, as: 'viewer', path: { id } })
  expect([status, json]).toEqual([200, []])
})

test('400: no id, no time', async () => {
  expect((await call(metrics, { as: 'viewer', path: { id: '../x' } })).status).toBe(400)
  const query = { since: 'yesterday' }
  expect((await call(metrics, { as: 'viewer', path: { id: 'web' }, query })).status).toBe(400)
})

test('404: no such container, no such host', async () => {
  const { ports } = await sampled()
  const ask = (id: string, query = {}) =>
    call(metrics, { ports, as: 'viewer', path: { id }, query })
  expect((await ask('none')).status).toBe(404)
  expect((await ask('f'.repeat(64))).status).toBe(404)
  expect((await ask('web', { host: 'none' })).status).toBe(404)
})

test('403: the host is outside the scope', async () => {
  const { ports, id } = await sampled()
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  const query = { host: 'local' }
  expect((await call(metrics, { ports, as, path: { id }, query })).status).toBe(403)
})
