import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { downSample, sampleOf } from '../core/metrics/history.ts'
import metrics from './metrics.ts'

const path = { id: 'local' }

test('200: returns the usage of the host and when it was offline', async () => {
  const ports = memoryPorts()
  const figures = { cpuPercent: 12.5, memory: 1, memoryTotal: 4, disk: 1, diskTotal: 8 }
  await ports.metricHistory.add('local', sampleOf(ports.clock.now(), [], figures))
  ports.clock.advance(15_000)
  await ports.metricHistory.add('local', downSample(ports.clock.now()))
  const { json } = await call(metrics, { ports, as: 'viewer', path })
  expect(json).toMatchObject([
    { online: true, cpu_percent: 12.5, memory_percent: 25, disk_percent: 12.5 },
    { online: false, cpu_percent: null, memory_percent: null, disk: null },
  ])
  const query = { since: '2026-06-01T12:00:15Z' }
  expect((await call(metrics, { ports, as: 'viewer', path, query })).json).toHaveLength(1)
})

test('200: returns the newest 1000 samples and says that there are more', async () => {
  const ports = memoryPorts()
  const first = ports.clock.now()
  for (let at = first; at < first + 3_300_000; at += 3_290) {
    await ports.metricHistory.add('local', downSample(at))
  }
  const all = await ports.metricHistory.ofHost('local', 0)
  const { headers, json } = await call(metrics, { ports, as: 'viewer', path })
  expect(all.length).toBeGreaterThan(1000)
  expect(json).toHaveLength(1000)
  expect(Date.parse(json.at(-1).time)).toBe(all.at(-1)?.at)
  expect(headers['x-result-truncated']).toBe('true')
  const query = { since: String((first + 60_000) / 1000) }
  const fewer = await call(metrics, { ports, as: 'viewer', path, query })
  expect(fewer.json.length).toBeLessThan(1000)
  expect(fewer.headers).not.toHaveProperty('x-result-truncated')
})

test('403 and 404: a host out of scope, or unknown', async () => {
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(metrics, { as, path })).status).toBe(403)
  expect((await call(metrics, { as: 'viewer', path: { id: 'none' } })).status).toBe(404)
})
