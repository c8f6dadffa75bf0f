import { expect, test } from 'vitest'
import type { AgentUpgrade } from '../records/host.ts'
import { nextSteps, type UpgradingHost, wavesOf } from './next-steps.ts'

const minute = 60_000

const host = (
  id: string,
  upgrade: Partial<AgentUpgrade>,
  agent: Partial<UpgradingHost['agent']> | 'offline' = {},
  state: Partial<Pick<UpgradingHost, 'isBusy' | 'passed'>> = {},
): UpgradingHost => ({
  id,
  agent: agent === 'offline' ? undefined : { version: '0.1.0', connection: 2, ...agent },
  upgrade: {
    id: 'u',
    to: '0.2.0',
    wave: 1,
    state: 'waiting',
    at: 0,
    error: null,
    connection: 1,
    ...upgrade,
  },
  isBusy: false,
  passed: 0,
  ...state,
})

const begin = (id: string) => ({ kind: 'begin', id, connection: 2 })
const end = (id: string, state: string, error: string | null = null) => ({
  kind: 'end',
  id,
  state,
  error,
})
const upgraded = { version: '0.2.0', replaceable: true }
const late = 'it did not come back with the new version within 5 minutes'

test.each<[string, UpgradingHost[], unknown[]]>([
  ['the first wave begins', [host('a', {}), host('b', { wave: 2 })], [begin('a')]],
  [
    'all of a wave begin together',
    [host('a', { state: 'succeeded' }), host('b', { wave: 2 }), host('c', { wave: 2 })],
    [begin('b'), begin('c')],
  ],
  ['one that tries the new version is waited for', [host('a', { state: 'running' })], []],
  [
    'the new version is waited for while it is only tried',
    [host('a', { state: 'running' }, { version: '0.2.0', replaceable: false })],
    [],
  ],
  ['the next wave waits for it', [host('a', { state: 'running' }), host('b', { wave: 2 })], []],
  [
    'one that came back lets the next wave begin',
    [host('a', { state: 'running' }, upgraded), host('b', { wave: 2 })],
    [end('a', 'succeeded'), begin('b')],
  ],
  [
    'one that gave the new version up stops all that wait',
    [
      host('a', { state: 'running' }, { version: '0.1.0', givenUp: 'it ended' }),
      host('b', { wave: 2 }),
    ],
    [end('a', 'failed', 'it ended'), end('b', 'skipped', 'another agent failed')],
  ],
  [
    'what it said before this upgrade began is not counted',
    [host('a', { state: 'running', connection: 2 }, { givenUp: 'it ended' })],
    [],
  ],
  [
    'one that is away for 5 minutes stops all that wait',
    [host('a', { state: 'running' }, 'offline', { passed: 6 * minute }), host('b', { wave: 2 })],
    [end('a', 'failed', late), end('b', 'skipped', 'another agent failed')],
  ],
  [
    'one whose host is busy waits, others of its wave begin, the next wave waits',
    [host('a', {}, {}, { isBusy: true }), host('b', {}), host('c', { wave: 2 })],
    [begin('b')],
  ],
  [
    'one whose host is busy for an hour is left out, and stops nothing',
    [host('a', {}, {}, { isBusy: true, passed: 61 * minute }), host('b', { wave: 2 })],
    [end('a', 'skipped', 'deployments, backups or restores ran on its host for an hour')],
  ],
  [
    'one that tries the new version is not asked whether its host is busy',
    [host('a', { state: 'running' }, upgraded, { isBusy: true })],
    [end('a', 'succeeded')],
  ],
  [
    'others of a wave with one that failed are waited for',
    [host('a', { state: 'failed' }), host('b', { state: 'running' }), host('c', {})],
    [end('c', 'skipped', 'another agent failed')],
  ],
  [
    'one that is offline at its turn is left out, and stops nothing',
    [host('a', {}, 'offline'), host('b', {})],
    [end('a', 'skipped', 'its agent is offline'), begin('b')],
  ],
  [
    'one that was installed again meanwhile is done',
    [host('a', {}, upgraded)],
    [end('a', 'succeeded')],
  ],
  ['nothing is left', [host('a', { state: 'succeeded' }), host('b', { state: 'skipped' })], []],
])('%s', (_, hosts, steps) => {
  expect(nextSteps(hosts)).toEqual(steps)
})

test.each([
  [1, [1]],
  [2, [1, 2]],
  [11, [1, 2, ...Array(9).fill(3)]],
  [32, [1, 2, 2, 2, 2, ...Array(27).fill(3)]],
])('the waves of %i agents: one, a tenth, all others', (count, waves) => {
  expect(wavesOf(count)).toEqual(waves)
})
