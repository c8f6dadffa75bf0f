import { expect, onTestFinished, test } from 'vitest'
import { inspectedContainer } from '../../../local/harness/engine-responses.ts'
import { json, loopbackEngine } from '../../../local/harness/loopback-engine.ts'
import { dockerEngine } from '../engine.ts'
import { type EngineSample, statsOf } from './stats.ts'

const cpu = (total: number, system: number, more = {}) => ({
  cpu_usage: { total_usage: total, ...more },
  system_cpu_usage: system,
})
const base = {
  read: '2026-11-21T10:00:00.5Z',
  pids_stats: { current: 3 },
  networks: { eth0: { rx_bytes: 10, tx_bytes: 20 }, eth1: { rx_bytes: 1, tx_bytes: 2 } },
  precpu_stats: cpu(1000, 100_000),
}

test('cgroup v1: counts the processors and reads total_inactive_file', () => {
  const stats = statsOf({
    ...base,
    cpu_stats: cpu(2000, 104_000, { percpu_usage: [500, 500] }),
    memory_stats: {
      usage: 1000,
      limit: 4000,
      stats: { total_inactive_file: 400, inactive_file: 9 },
    },
    blkio_stats: {
      io_service_bytes_recursive: [
        { op: 'Read', value: 5 },
        { op: 'Write', value: 7 },
        { op: 'Read', value: 1 },
        { op: 'Total', value: 13 },
      ],
    },
  })
  expect(stats).toEqual({
    time: base.read,
    cpuPercent: 50,
    cpus: 2,
    memory: 600,
    memoryLimit: 4000,
    memoryPercent: 15,
    networkRx: 11,
    networkTx: 22,
    blockRead: 6,
    blockWrite: 7,
    pids: 3,
  })
})

test('cgroup v2: reads online_cpus, inactive_file and lowercase names', () => {
  const stats = statsOf({
    ...base,
    cpu_stats: { ...cpu(2000, 104_000), online_cpus: 4 },
    memory_stats: { usage: 1000, limit: 4000, stats: { inactive_file: 200 } },
    blkio_stats: { io_service_bytes_recursive: [{ op: 'write', value: 7 }] },
  })
  expect(stats).toMatchObject({ cpuPercent: 100, cpus: 4, memory: 800, blockWrite: 7 })
})

test('missing values count as zero', () => {
  const stats = statsOf({
    read: base.read,
    cpu_stats: cpu(0, 1),
    precpu_stats: cpu(5, 5),
    blkio_stats: { io_service_bytes_recursive: null },
  })
  expect(stats).toMatchObject({ cpuPercent: 0, memory: 0, memoryPercent: 0, blockRead: 0, pids: 0 })
})

test('zeros of the Engine end the stream only if the container has stopped', async () => {
  const sample = { ...base, cpu_stats: cpu(2000, 104_000), memory_stats: { usage: 1000 } }
  const zeros = { read: '0001-01-01T00:00:00Z', pids_stats: {}, memory_stats: {} }
  const samples: EngineSample[] = [zeros, sample, zeros, sample, zeros, zeros, sample]
  // Asked before the stream, and at each sample of zeros until the container has stopped.
  const isRunning = [true, true, true, true, false]
  const { transport } = await loopbackEngine(({ path }, response) => {
    if (path === '/containers/a/json') {
      const inspected = inspectedContainer('a')
      const State = { ...inspected.State, Running: isRunning.shift() }
      return json(response, 200, { ...inspected, State })
    }
    if (path !== '/containers/a/stats') return undefined
    response.writeHead(200, { 'Content-Type': 'application/json' })
    for (const one of samples) response.write(`${JSON.stringify(one)}\n`)
    return true
  })
  const engine = dockerEngine({ transport, host: 'local', stacksDirectory: '/opt/stacks' })
  onTestFinished(() => engine.close())
  const times: string[] = []
  for await (const { time } of engine.stats('a', new AbortController().signal)) times.push(time)
  expect(times).toEqual([base.read, base.read])
  expect(isRunning).toEqual([])
})
