import { expect, test } from 'vitest'
import type { Json } from '../../adapters/testing/json.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import { present } from '../../adapters/testing/present.ts'
import { call } from '../../local/harness/call.ts'
import { recordUsage, type UsageState } from '../core/metrics/record-usage.ts'
import history from './history.ts'

const minute = 60_000
const day = 24 * 60 * minute
const path = { id: 'local' }
const figures = { cpuPercent: 20, memory: 1, memoryTotal: 4, disk: 2, diskTotal: 8 }

/** A host that is sampled each minute. */
function sampled() {
  const ports = memoryPorts()
  let state: UsageState | undefined
  const pass = async (minutes: number, cpuPercent: number | undefined = 20) => {
    for (let passed = 0; passed < minutes; passed += 1) {
      const found = { containers: [], figures: { ...figures, cpuPercent } }
      const sample = { at: ports.clock.now(), found, longestGap: 2 * minute }
      state = await recordUsage('local', sample, state, ports)
      ports.clock.advance(minute)
    }
  }
  const read = async (range = '1h', as: Json = 'viewer') =>
    call(history, { ports, as, path, query: { range } })
  return { ports, pass, read }
}

test('200: minutes of the last hour, the means of the machine and what is not known', async () => {
  const { pass, read } = sampled()
  await pass(1, 10)
  await pass(3, 30)
  const { status, json } = await read()
  expect(status).toBe(200)
  expect(json).toMatchObject({
    from: '2026-06-01T11:04:00.000Z',
    to: '2026-06-01T12:04:00.000Z',
    step_seconds: 60,
    recording: true,
    left_out: [],
  })
  expect(json.points).toHaveLength(3)
  expect(json.points[0]).toEqual({
    time: '2026-06-01T12:00:00.000Z',
    cpu_percent: { mean: 10, max: 10 },
    memory: { mean: 1, max: 1 },
    network_rx: { mean: 0, max: 0 },
    network_tx: { mean: 0, max: 0 },
    block_read: { mean: 0, max: 0 },
    block_write: { mean: 0, max: 0 },
    memory_total: 4,
    disk: { mean: 2, max: 2 },
    disk_total: 8,
  })
})

test('200: longer ranges have means and largest values of ten minutes and hours', async () => {
  const { ports, pass, read } = sampled()
  await pass(5, 10)
  await pass(85, 30)
  const day = (await read('24h')).json
  expect(day.step_seconds).toBe(600)
  expect(day.points.map(({ time }: Json) => time.slice(11, 16))).toEqual([
    ...['12:00', '12:10', '12:20', '12:30', '12:40', '12:50', '13:00', '13:10', '13:20'],
  ])
  expect(day.points[0].cpu_percent).toEqual({ mean: 20, max: 30 })
  expect((await call(history, { ports, as: 'viewer', path })).json).toEqual(day)
  for (const range of ['7d', '30d']) {
    const { json } = await read(range)
    expect(json.step_seconds).toBe(3600)
    expect(json.points.map(({ time }: Json) => time.slice(11, 16))).toEqual(['12:00', '13:00'])
    expect(json.points[0].cpu_percent).toEqual({ mean: 28.33, max: 30 })
  }
})

test('200: times in which the host was away have no point', async () => {
  const { ports, pass, read } = sampled()
  await pass(2)
  ports.clock.advance(10 * minute)
  await pass(2)
  expect((await read()).json.points.map(({ time }: Json) => time.slice(14, 16))).toEqual([
    ...['00', '01', '12'],
  ])
})

test('200: hours are kept as long as the setting says, and 0 records nothing', async () => {
  const { ports, pass, read } = sampled()
  await pass(90)
  ports.clock.advance(3 * 24 * 60 * minute)
  expect((await read('7d')).json.points).toHaveLength(1)
  await ports.settings.save({ 'metrics.history_days': 2 })
  expect((await read('7d')).json.points).toEqual([])
  await ports.settings.save({ 'metrics.history_days': 0 })
  await pass(5)
  expect((await read()).json).toMatchObject({ recording: false, points: [] })
  await ports.settings.save({ 'metrics.history_days': 2 })
  expect((await read()).json).toMatchObject({ recording: true, points: [] })
})

test('200: points are as far apart as samples, if these are rare', async () => {
  const { ports, read } = sampled()
  await ports.settings.save({ 'metrics.sample_seconds': 300 })
  expect((await read()).json.step_seconds).toBe(300)
})

test('200: names containers without a history only to callers who may read containers', async () => {
  const { ports, pass, read } = sampled()
  await pass(2)
  const [block] = await ports.usageHistory.list('local', 'minute', 0)
  const crowded = { ...present(block), mark: 'crowded', leftOut: ['payroll-import'] }
  await ports.usageHistory.put('local', crowded, ports.clock.now() + day)
  await ports.roles.create({ id: 'monitor', permissions: ['hosts:read'], createdAt: 0 })
  expect((await read()).json.left_out).toEqual(['payroll-import'])
  const { status, json } = await read('1h', { username: 'meter', role: 'monitor' })
  expect([status, json.left_out]).toEqual([200, []])
  expect(json.points).not.toEqual([])
})

test('400: unknown range', async () => {
  expect((await sampled().read('2h')).status).toBe(400)
})

test('403 and 404: a host out of scope, or unknown', async () => {
  const as = { username: 'lab', role: 'viewer', scopeTags: ['lab'] }
  expect((await sampled().read('1h', as)).status).toBe(403)
  expect((await call(history, { as: 'viewer', path: { id: 'none' } })).status).toBe(404)
})
