import { expect, test } from 'vitest'
import { memoryPorts } from '../../adapters/memory/stores.ts'
import { call } from '../../local/harness/call.ts'
import { downSample, sampleOf } from '../core/metrics/history.ts'
import metrics from './metrics.ts'

const path = { id: 'local' }

test('200: what the host used, and when it was away', async () => {
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

test('403 and 404: outside the scope, and no such host', async () => {
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await call(metrics, { as, path })).status).toBe(403)
  expect((await call(metrics, { as: 'viewer', path: { id: 'none' } })).status).toBe(404)
})
