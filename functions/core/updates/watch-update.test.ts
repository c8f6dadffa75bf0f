import { expect, test } from 'vitest'
import {
  faultsOf,
  judgeWatch,
  type Watch,
  type WatchedContainer,
  watchTime,
} from './watch-update.ts'

const second = 1000
const minute = 60 * second
const check = { startPeriod: 0, interval: 30 * second, timeout: 30 * second, retries: 3 }
const container = (change: Partial<WatchedContainer> = {}): WatchedContainer => ({
  service: 'web',
  state: 'running',
  health: null,
  check: null,
  exitCode: null,
  restarts: 0,
  upFor: null,
  isJob: false,
  isRead: true,
  ...change,
})
const watch = (passed: number, minutes?: number): Watch => ({
  passed,
  minutes,
  faultsBefore: {},
})

test.each([
  ['no health check', null, minute],
  ['the usual health check', check, 4 * minute],
  ['a quick one', { ...check, interval: second, timeout: second }, minute],
  ['a start period', { ...check, startPeriod: 90 * second }, 5.5 * minute],
  ['a start period of an hour', { ...check, startPeriod: 60 * minute }, 15 * minute],
])('watches for as long as needed: %s', (_, one, expected) => {
  expect(watchTime([container(), container({ check: one })], undefined)).toBe(expected)
})

test('watches for as long as the policy says, whatever the health checks need', () => {
  expect(watchTime([container({ check })], 2)).toBe(2 * minute)
  expect(judgeWatch([container()], watch(9 * minute, 10))).toEqual({
    kind: 'open',
    othersWait: true,
  })
  expect(judgeWatch([container()], watch(10 * minute, 10))).toEqual({ kind: 'good' })
  const starting = container({ health: 'starting', check })
  expect(judgeWatch([starting], watch(2 * minute, 1)).kind).toBe('open')
})

const slow = { ...check, startPeriod: 60 * minute }
test.each<[string, Partial<WatchedContainer>, number, string]>([
  ['runs, too early', {}, 30 * second, 'open'],
  ['runs', {}, minute, 'good'],
  ['unhealthy at once', { health: 'unhealthy', check }, 5 * second, 'bad'],
  ['healthy', { health: 'healthy', check }, 4 * minute, 'good'],
  ['exits with 1', { state: 'exited', exitCode: 1 }, second, 'bad'],
  ['a job that ended with 0', { state: 'exited', exitCode: 0 }, minute, 'good'],
  ['restarted once', { restarts: 1 }, minute, 'good'],
  ['a crash loop', { state: 'restarting', restarts: 2, exitCode: 1 }, 20 * second, 'bad'],
  ['still starting in its start period', { health: 'starting', check: slow }, 16 * minute, 'open'],
  ['not read by the Engine', { isRead: false }, 2 * minute, 'open'],
  ['not read by the Engine for long', { isRead: false }, 15 * minute, 'good'],
  ['a job that runs', { isJob: true }, 2 * minute, 'open'],
  ['a job that runs for long', { isJob: true }, 15 * minute, 'good'],
  [
    'started again with its host',
    { health: 'starting', check, upFor: minute },
    30 * minute,
    'open',
  ],
  ['still starting for ever', { health: 'starting', check: slow }, 65 * minute, 'good'],
])('judges an update: %s', (_, change, passed, expected) => {
  expect(judgeWatch([container({ service: 'db' }), container(change)], watch(passed)).kind).toBe(
    expected,
  )
})

test('says which service is bad, and why', () => {
  const bad = container({ service: 'web', state: 'exited', exitCode: 137 })
  expect(judgeWatch([container({ service: 'db' }), bad], watch(0))).toEqual({
    kind: 'bad',
    service: 'web',
    reason: 'it ended with 137',
  })
})

test.each<[string, Partial<WatchedContainer>, number, boolean]>([
  ['too early', {}, 30 * second, true],
  ['a slow start', { health: 'starting', check: slow }, 14 * minute, true],
  ['a very slow start', { health: 'starting', check: slow }, 16 * minute, false],
  ['what may be a job', { isJob: true }, 2 * minute, false],
])('says whether other updates of the host wait: %s', (_, change, passed, othersWait) => {
  expect(judgeWatch([container(), container(change)], watch(passed))).toEqual({
    kind: 'open',
    othersWait,
  })
})

const unhealthy = { health: 'unhealthy', check }
const crashing = { state: 'restarting', restarts: 9, exitCode: 1 } as const

test.each<[string, Partial<WatchedContainer>, Partial<WatchedContainer>, string]>([
  ['is as unhealthy as before', unhealthy, unhealthy, 'unknown'],
  ['crashes as before', crashing, crashing, 'unknown'],
  ['no longer crashes, and is unhealthy', crashing, unhealthy, 'unknown'],
  ['was unhealthy, and crashes now', unhealthy, crashing, 'bad'],
  ['was unhealthy, and is healthy now', unhealthy, { health: 'healthy', check }, 'good'],
  ['was fine, and is unhealthy', {}, unhealthy, 'bad'],
  ['settled after restarts, and crashes now', { restarts: 3, upFor: 2 * minute }, crashing, 'bad'],
  ['was restarted a moment ago', { restarts: 3, upFor: second }, crashing, 'unknown'],
])('what was wrong before does not count against an update: %s', (_, before, after, expected) => {
  const faultsBefore = faultsOf([container({ service: 'db' }), container(before)])
  const containers = [container({ service: 'db' }), container(after)]
  const verdict = judgeWatch(containers, { ...watch(15 * minute), faultsBefore })
  expect(verdict.kind).toBe(expected)
})

test('a service that was bad before excuses no other one', () => {
  const faultsBefore = faultsOf([container({ service: 'db', ...unhealthy })])
  const containers = [container({ service: 'db', ...unhealthy }), container(unhealthy)]
  expect(judgeWatch(containers, { ...watch(second), faultsBefore })).toMatchObject({
    kind: 'bad',
    service: 'web',
  })
})
