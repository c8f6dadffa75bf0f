import { expect, test } from 'vitest'
import type { ContainerState } from '../../compose/snapshot.ts'
import type { ContainerSummary } from '../records/container.ts'
import type { StackRecord } from '../records/stack.ts'
import { serviceStatuses } from './service-statuses.ts'
import { type StackContainer, stackContainer, stackState } from './stack-state.ts'
import { oldEngine, runSample, stopSample } from './testing/samples.ts'

const expectation = (containers: number, job = false) => ({ containers, job, image: 'app:1' })

const stack = (more: Partial<StackRecord> = {}): StackRecord => ({
  id: 'shop',
  hostId: 'local',
  directory: '/opt/stacks/shop',
  adopted: false,
  files: { compose: '', env: null, overlays: {}, others: {} },
  environment: null,
  contentRevision: 1,
  written: null,
  keptVolumes: {},
  services: { db: expectation(1), web: expectation(2), seed: expectation(1, true) },
  last: { deploymentId: 'd1', kind: 'deploy', status: 'succeeded' },
  deployed: true,
  createdAt: 0,
  updatedAt: 0,
  deployedAt: 1,
  ...more,
})

interface Options {
  state?: ContainerState
  exitCode?: number
  by?: string | null
  labels?: Record<string, string>
  number?: number
}

function containerOf(service: string, options: Options = {}): StackContainer {
  const { state = 'running', exitCode = null, by, labels = {}, number = 1 } = options
  const summary: ContainerSummary = {
    id: `${service}${number}${state}`,
    name: `shop-${service}-${number}`,
    image: 'app:1',
    imageId: 'i',
    volumeNames: [],
    networkNames: [],
    state,
    status: '',
    health: null,
    exitCode,
    ports: [],
    upSeconds: state === 'running' ? 60 : null,
    createdAt: '2026-11-23T10:00:00Z',
    labels: {
      'com.docker.compose.config-hash': 'h',
      'com.docker.compose.container-number': String(number),
      ...labels,
    },
    stack: 'shop',
    service,
  }
  const stop = by === undefined ? null : stopSample(by)
  return stackContainer(summary, { run: runSample(), stop, settlingTime: 0 })
}

const now = Date.parse('2026-11-23T18:00:00Z')

function look(record: StackRecord, containers: StackContainer[] | undefined) {
  const host = containers && { containers: new Map([['shop', containers]]), engine: oldEngine }
  const state = stackState(record, host)
  const services = Object.fromEntries([...state.byName].map(([name, one]) => [name, one.state]))
  const details = serviceStatuses(state, now).map(({ service, detail }) => `${service}: ${detail}`)
  return { ...state, states: services, details }
}

const all = () => [
  containerOf('db'),
  containerOf('web'),
  containerOf('web', { number: 2 }),
  containerOf('seed', { state: 'exited', exitCode: 0 }),
]

test('a deployed stack runs when all of its services run or are completed jobs', () => {
  const seen = look(stack(), all())
  expect(seen).toMatchObject({
    status: 'running',
    operation: null,
    services: { total: 3, running: 3 },
  })
  expect(seen.states).toEqual({ db: 'running', seed: 'completed', web: 'running' })
})

test('thousands of containers with labels of other services are judged', () => {
  const host = Array.from({ length: 30_000 }, (_, index) => containerOf(`other${index}`))
  expect(look(stack(), host).byName.size).toBe(30_003)
})

test('one of two stopped by hand: partial, and the numbers say so', () => {
  const [, ...others] = all()
  const seen = look(stack(), [
    containerOf('db', { state: 'exited', exitCode: 0, by: null }),
    ...others,
  ])
  expect(seen).toMatchObject({ status: 'partial', services: { total: 3, running: 2 } })
  expect(seen.details).toContain('db: stopped on the host 14:02 UTC')
})

test('everything removed by hand: failed; removed by our stop: stopped', () => {
  const seen = look(stack(), [])
  expect(seen).toMatchObject({ status: 'failed', services: { total: 3, running: 0 } })
  expect(seen.details).toContain('db: its containers were removed outside the service')
  const at = Date.parse('2026-11-22T09:30:00Z')
  const stop = { verb: 'stop' as const, by: 'mia', at }
  const after = look(stack({ deployed: false, verbs: { db: stop, web: stop, seed: stop } }), [])
  expect(after.status).toBe('stopped')
  expect(after.details).toContain('web: stopped by mia 2026-11-22 09:30 UTC')
  expect(look(stack({ deployed: false }), []).status).toBe('stopped')
})

test('a stop that ended half-way: what is gone was stopped, the rest runs', () => {
  const stop = { verb: 'stop' as const, by: 'mia', at: now }
  const verbs = { db: stop, web: stop, seed: stop }
  const seen = look(stack({ verbs }), [containerOf('db')])
  expect(seen.states).toEqual({ db: 'running', seed: 'stopped', web: 'stopped' })
  expect(seen.status).toBe('partial')
})

test('never up: not deployed, and the numbers say what a deploy would bring', () => {
  const record = stack({ deployed: false, deployedAt: null, last: null })
  const seen = look(record, [])
  expect(seen).toMatchObject({ status: 'not_deployed', services: { total: 3, running: 0 } })
  expect(Object.values(seen.states)).toEqual(['inactive', 'inactive', 'inactive'])
  expect(look({ ...record, last: { deploymentId: 'd', status: 'failed' } }, []).status).toBe(
    'not_deployed',
  )
})

test('an adopted stack that was stopped is stopped, also by an earlier version', () => {
  const record = stack({ adopted: true, deployed: false, deployedAt: null })
  expect(look(record, []).status).toBe('stopped')
  expect(look({ ...record, last: null }, []).status).toBe('not_deployed')
})

test('an operation that runs is named, unless the host does not respond', () => {
  const kinds = ['deploy', 'rollback', 'stop', 'restart', 'remove'] as const
  for (const kind of kinds) {
    const last = { deploymentId: 'd', kind, status: 'running' as const }
    expect(look(stack({ last }), all())).toMatchObject({ status: 'deploying', operation: kind })
    expect(look(stack({ last }), undefined)).toMatchObject({ status: 'unknown', operation: kind })
  }
  const last = { deploymentId: 'd', status: 'running' as const }
  expect(look(stack({ last }), []).operation).toBe('deploy')
})

test('while a deploy runs its services are starting, while a stop runs they are not', () => {
  const stop = { verb: 'stop' as const, by: 'mia', at: now }
  const verbs = { db: stop, web: stop, seed: stop }
  const during = (kind: 'deploy' | 'stop') =>
    look(stack({ verbs, last: { deploymentId: 'd', kind, status: 'running' } }), [
      containerOf('db'),
    ]).states
  expect(during('deploy')).toEqual({ db: 'running', seed: 'starting', web: 'starting' })
  expect(during('stop')).toEqual({ db: 'running', seed: 'stopped', web: 'stopped' })
})

test('a deployment that failed changes nothing by itself', () => {
  for (const status of ['failed', 'interrupted'] as const) {
    const last = { deploymentId: 'd2', kind: 'deploy' as const, status }
    expect(look(stack({ last }), all()).status).toBe('running')
  }
})

test('scale by verb changes the number until the next deploy', () => {
  const scaled = (replicas: number) =>
    stack({ verbs: { web: { verb: 'scale', replicas, by: 'mia', at: 0 } } })
  const three = look(scaled(3), all())
  expect(three.states.web).toBe('missing')
  expect(three.details).toContain('web: scaled to 3, compose file says 2')
  const none = look(scaled(0), [
    containerOf('db'),
    containerOf('seed', { state: 'exited', exitCode: 0 }),
  ])
  expect(none).toMatchObject({ status: 'running', services: { total: 2, running: 2 } })
  expect(none.states.web).toBe('inactive')
})

test('judges the containers with the lowest numbers, and says that there are more', () => {
  const third = containerOf('web', { number: 3, state: 'exited', exitCode: 1 })
  const seen = look(stack(), [...all(), third])
  expect(seen.status).toBe('running')
  expect(seen.details).toContain('web: 3 containers exist, compose file says 2')
})

test('a container of a service that the file does not have is shown and not counted', () => {
  const seen = look(stack(), [...all(), containerOf('debug')])
  expect(seen).toMatchObject({ status: 'running', services: { total: 3, running: 3 } })
  expect(seen.states.debug).toBe('inactive')
  expect(look(stack(), [...all(), containerOf('__proto__')]).status).toBe('running')
})

test('containers that are being removed, one-off ones and foreign ones do not exist', () => {
  const oneoff = { 'com.docker.compose.oneoff': 'True' }
  const foreign = containerOf('db')
  delete foreign.summary.labels['com.docker.compose.config-hash']
  const ghosts = [
    containerOf('db', { state: 'removing' }),
    containerOf('db', { number: 2, labels: oneoff }),
    foreign,
  ]
  expect(look(stack(), ghosts).states.db).toBe('failed')
  expect(look(stack({ deployed: false, deployedAt: null, last: null }), ghosts).status).toBe(
    'not_deployed',
  )
})

test('while a tool replaces a container, the one that runs is judged', () => {
  const old = containerOf('db', { state: 'exited', exitCode: 1 })
  const [, ...others] = all()
  expect(look(stack(), [old, containerOf('db'), ...others]).status).toBe('running')
})
