import { expect, test } from 'vitest'
import type { ContainerSample } from '../records/container.ts'
import { usageFigures } from '../records/usage-history.ts'
import { measureUsage } from './measure-usage.ts'

const figures = { cpuPercent: 25, memory: 4, memoryTotal: 8, disk: 2, diskTotal: 16 }

/** Returns a running container whose counters are all at `count`. */
const container = (name: string, count: number, more: Partial<ContainerSample> = {}) =>
  ({
    id: name.padEnd(64, '0'),
    name,
    stack: null,
    service: null,
    number: null,
    oneoff: false,
    state: 'running',
    health: null,
    upSeconds: 60,
    exitCode: null,
    createdAt: '2026-01-01T00:00:00Z',
    run: null,
    restarts: 0,
    usage: {
      cpuPercent: 50,
      memory: 1024,
      memoryLimit: 2048,
      memoryPercent: 50,
      networkRx: count,
      networkTx: count,
      blockRead: count,
      blockWrite: count,
      pids: 1,
    },
    ...more,
  }) satisfies ContainerSample

/** Measures two samples that are this many seconds apart, and returns the second one. */
function after(seconds: number, before: ContainerSample[], now: ContainerSample[]) {
  const first = measureUsage(0, { containers: before, figures }, new Map(), 60_000)
  return measureUsage(seconds * 1000, { containers: now, figures }, first.counters, 60_000)
}

const levels = (one: { points: readonly { levels: readonly unknown[] }[] } | undefined) =>
  Object.fromEntries(
    (one?.points[0]?.levels ?? []).map((level, index) => [usageFigures[index], level]),
  )

test.each([
  ['grows', 15, 1500, [100, 100]],
  ['does not grow', 15, 0, [0, 0]],
  ['is set back by a restart', 15, -1, null],
  ['was read too long ago', 61, 1500, null],
  ['was read at the same time', 0, 1500, null],
  ['was read later, as the clock was set back', -15, 1500, null],
] as const)('a counter that %s', (_, seconds, grown, rate) => {
  const { containers, host } = after(
    seconds,
    [container('web', 1000)],
    [container('web', 1000 + grown)],
  )
  expect(levels(containers[0])).toMatchObject({ cpuPercent: [50, 50], networkRx: rate })
  expect(levels(host)).toMatchObject({ networkRx: rate, blockWrite: rate })
})

test('a host has its own figures, and the sums of what its containers move', () => {
  const [web, db] = [container('web', 0), container('db', 0)]
  const now = [container('web', 1500), container('db', 3000), container('new', 99)]
  const { host } = after(15, [web, db], now)
  expect(levels(host)).toMatchObject({
    cpuPercent: [25, 25],
    memory: [4, 4],
    networkTx: [300, 300],
    diskTotal: [16, 16],
  })
})

test('a host without figures and containers moves nothing, and the rest is unknown', () => {
  const { host } = measureUsage(0, { containers: [], figures: undefined }, new Map(), 60_000)
  expect(levels(host)).toMatchObject({ cpuPercent: null, memory: null, networkRx: [0, 0] })
})

test('a container of a service is known by its number, another one by its name', () => {
  const number = { stack: 'shop', service: 'web', number: 2 }
  const { containers } = after(
    15,
    [],
    [
      container('shop-web-2', 0, number),
      container('plain', 0),
      container('shop-web-run-1', 0, { ...number, number: null, oneoff: true }),
      container('ended', 0, { state: 'exited', usage: null }),
    ],
  )
  expect(containers.map(({ key }) => key)).toEqual(['shop/web/2', 'plain'])
  expect(containers[1]?.id).toBe('plain'.padEnd(16, '0'))
})
