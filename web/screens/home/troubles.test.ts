import { expect, test } from 'vitest'
import type { components } from '../../data/api.types.ts'
import { asHostId, asHostName } from '../../host-ids.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { containersToRead, troublesOf } from './troubles.ts'

setTexts(en)

type Schemas = components['schemas']

const h1 = asHostId('h1')
const nas = asHostName('nas')

const host = (more: Partial<Schemas['Host']> = {}) =>
  ({
    id: h1,
    name: nas,
    status: 'online',
    error: null,
    warning: null,
    agent: null,
    ...more,
  }) as Schemas['Host']

const stack = (more: Partial<Schemas['Stack']> = {}) =>
  ({
    name: 'shop',
    host: h1,
    status: 'running',
    services: { total: 2, running: 2, unhealthy: 0 },
    last_deployment: null,
    ...more,
  }) as Schemas['Stack']

const failedDeploy = {
  id: 'd1',
  kind: 'deploy',
  status: 'failed',
  error: 'port is taken',
  finished_at: '2026-11-23T10:00:00Z',
} as Schemas['Stack']['last_deployment']

const unhealthy = {
  id: 'c1',
  name: 'shop-db-1',
  state: 'running',
  health: 'unhealthy',
  status: 'Up (unhealthy)',
  host_name: nas,
} as Schemas['Container']

const alert = (more: Partial<Schemas['Alert']>) =>
  ({
    rule_id: 'r1',
    rule_name: 'Rule',
    severity: 'warning',
    value: 91.234,
    metric: 'cpu_percent',
    since: '2026-11-23T11:00:00Z',
    subject: { kind: 'container', id: 'c1', name: 'shop-db-1', host_id: h1, host_name: nas },
    ...more,
  }) as Schemas['Alert']

const told = (known: Parameters<typeof troublesOf>[0]) =>
  troublesOf(known).map(({ state, subject, what, host: on }) => [state, subject, what, on])

test('nothing is wrong while everything runs', () => {
  expect(told({ hosts: [host()], stacks: [stack(), stack({ status: 'stopped' })] })).toEqual([])
})

test('failures come first, then what is newer', () => {
  const known = {
    hosts: [
      host(),
      host({ id: asHostId('h2'), name: asHostName('pi'), status: 'offline', error: 'no agent' }),
    ],
    stacks: [stack({ last_deployment: failedDeploy })],
    alerts: [alert({})],
  }
  expect(told(known)).toEqual([
    ['failed', 'shop', 'Deploy failed', 'nas'],
    ['failed', 'pi', 'Offline', 'pi'],
    ['attention', 'shop-db-1', 'CPU at 91.2 %', 'nas'],
  ])
})

test('an alert and the state that it is about are one line', () => {
  const known = { alerts: [alert({ metric: 'unhealthy' })], containers: [unhealthy] }
  expect(told(known)).toEqual([['attention', 'shop-db-1', 'Unhealthy', 'nas']])
})

const partly = (running: number, more: Partial<Schemas['Stack']> = {}) =>
  stack({ status: 'partial', services: { total: 3, running, unhealthy: 0 }, ...more })
const container = (more: Partial<Schemas['Container']>) =>
  ({
    id: 'c1',
    name: 'shop-db-1',
    stack: 'shop',
    service: 'db',
    state: 'running',
    health: null,
    status: 'Up 3 minutes',
    host_id: h1,
    host_name: nas,
    ...more,
  }) as Schemas['Container']
const crashed = { state: 'exited', status: 'Exited (137) 3 minutes ago' } as const

test('a container that is wrong explains why its stack runs in part', () => {
  const containers = [container({ health: 'unhealthy' })]
  expect(told({ stacks: [partly(2)], containers, hosts: [host()] })).toEqual([
    ['attention', 'shop', 'db: Unhealthy', 'nas'],
  ])
})

test('one cause is one line: a container that ended, its alerts and its stack', () => {
  const containers = [container({ state: 'exited', status: 'Exited (1) 3 minutes ago' })]
  const alerts = [
    alert({ metric: 'container_down', value: 1 }),
    alert({ metric: 'restarts', value: 3, rule_id: 'r2' }),
  ]
  const [line, ...more] = troublesOf({ stacks: [partly(2)], containers, alerts, hosts: [host()] })
  expect(more).toEqual([])
  expect(line).toMatchObject({
    subject: 'shop',
    href: '/stacks/shop',
    what: 'db: Not running, Restarted 3 times',
    why: 'Exited (1) 3 minutes ago',
    since: '2026-11-23T11:00:00Z',
  })
})

test('a line of a stack has all of its containers, and its exit codes', () => {
  const containers = [
    container({ state: 'exited', status: 'Exited (2) 3 minutes ago' }),
    container({ id: 'c2', service: 'web', state: 'restarting', status: 'Restarting (1) now' }),
    // It was stopped, or has done its work.
    container({ id: 'c3', service: 'seed', ...crashed }),
    container({ id: 'c4', service: 'job', state: 'exited', status: 'Exited (0) 1 hour ago' }),
  ]
  const failed = partly(1, { status: 'failed' })
  expect(told({ stacks: [failed], containers, hosts: [host()] })).toEqual([
    ['failed', 'shop', 'db: Exit code 2 · web: Exit code 1', 'nas'],
  ])
})

test('containers of a project that is no stack are lines of their own', () => {
  const containers = [container({ health: 'unhealthy', host_id: asHostId('h2') })]
  expect(told({ stacks: [stack()], containers, hosts: [host()] })).toEqual([
    ['attention', 'shop-db-1', 'Unhealthy', 'nas'],
  ])
})

test('a partly running stack shows how many of its services run, healthy or not', () => {
  const services = { total: 3, running: 1, unhealthy: 1 }
  expect(told({ stacks: [partly(0, { services })], hosts: [host()] })).toEqual([
    ['attention', 'shop', '2 of 3 services run', 'nas'],
  ])
})

test('hosts that wait for their agent or are revoked are not wrong', () => {
  const quiet = [host({ status: 'pending' }), host({ id: asHostId('h3'), status: 'revoked' })]
  expect(told({ hosts: quiet })).toEqual([])
})

test.each([
  ['a stack runs in part', { stacks: [partly(2)] }],
  ['a stack failed', { stacks: [partly(0, { status: 'failed' })] }],
  ['an alert is about a container', { alerts: [alert({ metric: 'container_down' })] }],
])('reads the containers that ended, too, if %s', (_why, known) => {
  expect(containersToRead(known)).toEqual({ host: 'all', all: true })
})

test('reads only unhealthy containers if nothing else is wrong', () => {
  expect(containersToRead({})).toEqual({ host: 'all', health: 'unhealthy' })
})
