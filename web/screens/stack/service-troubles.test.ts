import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import type { ServiceStatus } from './service-row.ts'
import { serviceTroubles } from './service-troubles.ts'

setTexts(en)

const row = (service: string, state: ServiceStatus['service_state'], more = {}): ServiceStatus =>
  ({ service, service_state: state, exit_code: null, detail: null, ...more }) as ServiceStatus
const told = (rows: readonly ServiceStatus[], isBusy = false) =>
  serviceTroubles(rows, isBusy).map(({ service, state, what, why, next }) =>
    [service, state, what, why, next].join(' | '),
  )

test('what runs, has ended or was stopped is no trouble', () => {
  const states = ['running', 'completed', 'stopped', 'paused', 'inactive', 'starting'] as const
  expect(told(states.map((state) => row(state, state)))).toEqual([])
})

test('failures come first, with their exit code and reason', () => {
  const rows = [
    row('db', 'unhealthy', { detail: 'the health check fails' }),
    row('web', 'failed', { exit_code: 1, detail: 'exited 2 min ago' }),
  ]
  expect(told(rows)).toEqual([
    'web | failed | Exit code 1 | exited 2 min ago | logs',
    'db | attention | Unhealthy | the health check fails | logs',
  ])
})

test('an exit code and a failed health check are said once', () => {
  const rows = [
    row('db', 'failed', { exit_code: 3, detail: 'ended with exit code 3' }),
    row('web', 'unhealthy', { detail: 'its health check fails' }),
  ]
  expect(told(rows)).toEqual([
    'db | failed | Exit code 3 |  | logs',
    'web | attention | Unhealthy |  | logs',
  ])
})

test('a service with several containers is one line, with the first reason', () => {
  const rows = [
    row('web', 'failed'),
    row('web', 'failed', { exit_code: 137, detail: 'out of memory' }),
    row('web', 'failed', { exit_code: 1, detail: 'other' }),
  ]
  expect(told(rows)).toEqual(['web | failed | Exit code 137 | out of memory | logs'])
})

test('what is missing leads to the plan, and is none while an operation runs', () => {
  const rows = [row('web', 'missing'), row('db', 'restarting')]
  expect(told(rows)).toEqual([
    'db | failed | Restarting |  | logs',
    'web | attention | Missing |  | plan',
  ])
  expect(told(rows, true)).toEqual(['db | failed | Restarting |  | logs'])
})
