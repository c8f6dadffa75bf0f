import { expect, test } from 'vitest'
import type { ServiceState } from '../records/stack-state.ts'
import { type ContainerFacts, type ServiceFacts, serviceState } from './service-state.ts'
import {
  containerSample as container,
  endedSample as ended,
  serviceSample as service,
  stopSample,
  youngEngine,
} from './testing/samples.ts'

type Case = [
  name: string,
  expected: ServiceState,
  containers: ContainerFacts[],
  more?: Partial<ServiceFacts>,
]

const up = container()
const none: ContainerFacts[] = []
const policies = ['no', 'on-failure', 'always', 'unless-stopped']
const restarting = ['always', 'unless-stopped']
const beforeStart = '2026-11-23T11:59:00Z'
const afterStart = '2026-11-23T12:00:20Z'
const stopped = { stop: stopSample() }

const cases: Case[] = [
  ['profile off or scale 0', 'inactive', none, { expected: 0 }],
  ['scale 0 with a container left', 'inactive', [up], { expected: 0 }],
  ['scale 0 while a deploy runs', 'inactive', none, { expected: 0, isDeploying: true }],

  ['deploying, nothing there yet', 'starting', none, { expected: 1, isDeploying: true }],
  ['deploying, created', 'starting', [container({ state: 'created' })], { isDeploying: true }],
  ['deploying, one ended with an error', 'starting', [ended(1)], { isDeploying: true }],
  ['deploying, up already', 'running', [up], { isDeploying: true }],
  ['deploying, a finished job', 'completed', [ended(0)], { isDeploying: true, isJob: true }],
  ['deploying, one of two', 'starting', [up], { expected: 2, isDeploying: true }],

  ['dead', 'failed', [container({ state: 'dead' })]],
  ['one of two dead', 'failed', [up, container({ state: 'dead' })]],
  ['created, port taken', 'failed', [container({ state: 'created', startError: 'port' })]],
  ['ended, then port taken', 'failed', [ended(128, { startError: 'port' })]],
  [
    'started again by its policy, port taken',
    'failed',
    [ended(128, { startError: 'port', policy: 'always' })],
  ],
  [
    'stopped, then started with the port taken',
    'failed',
    [ended(0, { startError: 'port', ...stopped })],
  ],
  ['ended with an error', 'failed', [ended(1)]],
  ['one of two ended with an error', 'failed', [up, ended(1)]],
  ['missing one, the other failed', 'failed', [ended(1)], { expected: 2 }],
  ['ended with an error, retries used up', 'failed', [ended(1, { policy: 'on-failure' })]],
  ['out of memory', 'failed', [ended(137, { outOfMemory: true })]],
  [
    'out of memory, retries used up',
    'failed',
    [ended(137, { outOfMemory: true, policy: 'on-failure' })],
  ],
  ['a job ended with an error', 'failed', [ended(2)], { isJob: true }],
  ['all removed by hand', 'failed', none, { expected: 2 }],

  [
    'the Engine says restarting',
    'restarting',
    [container({ state: 'restarting', policy: 'always' })],
  ],
  ['one of two restarts', 'restarting', [up, container({ state: 'restarting', policy: 'always' })]],
  ['restarted 9 s ago', 'restarting', [container({ restarts: 3, upSeconds: 9 })]],
  [
    'restarted and unhealthy',
    'restarting',
    [container({ restarts: 1, upSeconds: 1, health: 'unhealthy' })],
  ],
  ['restarted 10 s ago', 'running', [container({ restarts: 3, upSeconds: 10 })]],
  [
    'in a crash loop of 25 s, restarted 49 s ago',
    'restarting',
    [container({ settlingTime: 50, upSeconds: 49 })],
  ],
  [
    'in a crash loop, restarted 50 s ago',
    'running',
    [container({ settlingTime: 50, upSeconds: 50 })],
  ],
  ['started by hand 1 s ago', 'running', [container({ restarts: 0, upSeconds: 1 })]],
  ['not inspected', 'running', [{ ...container({ upSeconds: 1 }), run: null }]],

  ['one of two missing', 'missing', [up], { expected: 2 }],
  ['one missing, the other stopped', 'missing', [ended(0, stopped)], { expected: 2 }],
  [
    'one missing while the last operation was stop',
    'missing',
    [up],
    { expected: 2, isStopped: true },
  ],

  ['removed by our stop', 'stopped', none, { expected: 1, isStopped: true }],
  ['stopped with this service', 'stopped', [ended(0, stopped)]],
  ['stopped with this service, code 1', 'stopped', [ended(1, stopped)]],
  ['killed with this service, a job', 'stopped', [ended(137, stopped)], { isJob: true }],
  ['stopped on the host', 'stopped', [ended(3, { stop: stopSample(null) })]],
  ['SIGKILL, cause unknown', 'stopped', [ended(137)]],
  ['SIGTERM, cause unknown', 'stopped', [ended(143)]],
  ['SIGTERM under on-failure', 'stopped', [ended(143, { policy: 'on-failure' })]],
  ['SIGTERM of a job', 'stopped', [ended(143)], { isJob: true }],
  ['not inspected, SIGTERM', 'stopped', [{ ...ended(143), run: null }]],
  ['two stopped in different ways', 'stopped', [ended(0, stopped), ended(143)]],

  ['one stopped, one up', 'partial', [up, ended(0, stopped)]],
  ['one stopped, one ended with 0', 'partial', [ended(0), ended(0, stopped)]],
  ['paused', 'paused', [container({ state: 'paused' })]],
  ['paused after restarts', 'paused', [container({ state: 'paused', restarts: 4, upSeconds: 1 })]],
  ['one paused, one up', 'partial', [up, container({ state: 'paused' })]],
  ['a job ended with 0', 'completed', [ended(0)], { isJob: true }],
  ['two jobs ended with 0', 'completed', [ended(0), ended(0)], { isJob: true }],
  [
    'two jobs ended with 0, one of them stopped',
    'completed',
    [ended(0), ended(0, stopped)],
    { isJob: true },
  ],
  ['one of two jobs runs', 'partial', [up, ended(0)], { isJob: true }],
  ['a job runs', 'running', [up], { isJob: true }],
  ['no job, ended with 0', 'partial', [ended(0)]],
  ['no job, ended with 0 under on-failure', 'partial', [ended(0, { policy: 'on-failure' })]],
  ['created, never started', 'partial', [container({ state: 'created' })]],
  ['one created, one up', 'partial', [up, container({ state: 'created' })]],

  ['unhealthy', 'unhealthy', [container({ health: 'unhealthy' })]],
  ['one of two unhealthy', 'unhealthy', [up, container({ health: 'unhealthy' })]],
  ['one unhealthy, one stopped', 'unhealthy', [container({ health: 'unhealthy' }), ended(143)]],
  ['first health check runs', 'starting', [container({ health: 'starting' })]],
  [
    'one healthy, one starting',
    'starting',
    [container({ health: 'healthy' }), container({ health: 'starting' })],
  ],
  ['healthy', 'running', [container({ health: 'healthy' })]],
  ['without a check', 'running', [up, up]],
]

test.each(cases)('%s: %s', (_name, expected, containers, more) => {
  expect(serviceState(service(containers, more))).toBe(expected)
})

test.each(restarting)('host rebooting, policy %s: restarting, then stopped by hand', (policy) => {
  for (const exitCode of [0, 1, 137, 143, 255]) {
    const one = [ended(exitCode, { policy, finishedAt: beforeStart })]
    const state = (age: number | null) =>
      serviceState(service(one, { engine: age === null ? null : { ...youngEngine, age } }))
    expect(state(0)).toBe('restarting')
    expect(state(59_999)).toBe('restarting')
    expect(state(60_000)).toBe('stopped')
    expect(state(null)).toBe('stopped')
  }
})

test('host rebooting: a stop lasts under unless-stopped, and ends with the Engine under always', () => {
  const state = (policy: string, finishedAt: string) =>
    serviceState(service([ended(0, { policy, finishedAt, ...stopped })], { engine: youngEngine }))
  expect(state('unless-stopped', beforeStart)).toBe('stopped')
  expect(state('always', beforeStart)).toBe('restarting')
  expect(state('always', afterStart)).toBe('stopped')
})

test('host rebooting: no policy or used-up retries bring nothing back', () => {
  for (const policy of ['no', 'on-failure']) {
    const state = (code: number) =>
      serviceState(service([ended(code, { policy })], { engine: youngEngine }))
    expect([state(1), state(143)]).toEqual(['failed', 'stopped'])
  }
})

test('a crash loop is never up, stopped or partial, whenever it is sampled', () => {
  for (let second = 0; second < 10; second += 1) {
    const sampled = [
      container({ policy: 'always', restarts: 1 + second, upSeconds: second }),
      container({ policy: 'always', restarts: 1 + second, state: 'restarting' }),
      container({ policy: 'on-failure', restarts: 1, upSeconds: second, health: 'starting' }),
      container({ policy: 'unless-stopped', restarts: 1, upSeconds: second, health: 'healthy' }),
    ]
    for (const one of sampled) expect(serviceState(service([one]))).toBe('restarting')
  }
  const over = ended(1, { policy: 'on-failure', restarts: 5 })
  expect(serviceState(service([over]))).toBe('failed')
})

test.each(policies)('a known stop decides under policy %s, whatever the exit code', (policy) => {
  for (const exitCode of [0, 1, 2, 137, 143, 255]) {
    for (const by of ['mia', null]) {
      const one = ended(exitCode, { policy, stop: stopSample(by), outOfMemory: exitCode === 137 })
      expect(serviceState(service([one]))).toBe('stopped')
    }
  }
})
