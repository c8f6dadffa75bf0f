import { expect, test } from 'vitest'
import type { components } from '../../data/api.types.ts'
import { asHostId, asHostName } from '../../data/host-ids.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { troublesOf } from './troubles.ts'

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
    services: { total: 2, running: 2 },
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

test('a container that is wrong explains why its stack runs in part', () => {
  const partly = stack({ status: 'partial', services: { total: 2, running: 1 } })
  const db = { ...unhealthy, host_id: h1, stack: 'shop' }
  expect(told({ stacks: [partly], containers: [db], hosts: [host()] })).toEqual([
    ['attention', 'shop-db-1', 'Unhealthy', 'nas'],
  ])
})

test('a partly running stack shows how many of its services run', () => {
  const partly = stack({ status: 'partial', services: { total: 3, running: 1 } })
  expect(told({ stacks: [partly], hosts: [host()] })).toEqual([
    ['attention', 'shop', '1 of 3 services run', 'nas'],
  ])
})

test('hosts that wait for their agent or are revoked are not wrong', () => {
  const quiet = [host({ status: 'pending' }), host({ id: asHostId('h3'), status: 'revoked' })]
  expect(told({ hosts: quiet })).toEqual([])
})
