import { expect, test } from 'vitest'
import type { AgentUpgrade } from '../records/host.ts'
import { nextSteps, type UpgradingHost, wavesOf } from './next-steps.ts'

const now = Date.parse('2026-06-01T12:00:00Z')
const minute = 60_000

const host = (
  id: string,
  upgrade: Partial<AgentUpgrade>,
  agent: Partial<UpgradingHost['agent']> | 'offline' = {},
): UpgradingHost => ({
  id,
  agent: agent === 'offline' ? undefined : { version: '0.1.0', connection: 2, ...agent },
  upgrade: {
    id: 'u',
    to: '0.2.0',
    wave: 1,
    state: 'waiting',
    at: now,
    error: null,
    connection: 1,
    ...upgrade,
  },
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
    [host('a', { state: 'done' }), host('b', { wave: 2 }), host('c', { wave: 2 })],
    [begin('b'), begin('c')],
  ],
  ['one that tries the new version is waited for', [host('a', { state: 'begun' })], []],
  [
    'the new version is waited for while it is only tried',
    [host('a', { state: 'begun' }, { version: '0.2.0', replaceable: false })],
    [],
  ],
  ['the next wave waits for it', [host('a', { state: 'begun' }), host('b', { wave: 2 })], []],
  [
    'one that came back lets the next wave begin',
    [host('a', { state: 'begun' }, upgraded), host('b', { wave: 2 })],
    [end('a', 'done'), begin('b')],
  ],
  [
    'one that gave the new version up stops all that wait',
    [
      host('a', { state: 'begun' }, { version: '0.1.0', givenUp: 'it ended' }),
      host('b', { wave: 2 }),
    ],
    [end('a', 'failed', 'it ended'), end('b', 'stopped', 'another agent failed')],
  ],
  [
    'what it said before this upgrade began is not counted',
    [host('a', { state: 'begun', connection: 2 }, { givenUp: 'it ended' })],
    [],
  ],
  [
    'one that is away for 5 minutes stops all that wait',
    [host('a', { state: 'begun', at: now - 6 * minute }, 'offline'), host('b', { wave: 2 })],
    [end('a', 'failed', late), end('b', 'stopped', 'another agent failed')],
  ],
  [
    'a time far ahead is of a clock that was',
    [host('a', { state: 'begun', at: now + 60 * minute })],
    [end('a', 'failed', late)],
  ],
  [
    'others of a wave with one that failed are waited for',
    [host('a', { state: 'failed' }), host('b', { state: 'begun' }), host('c', {})],
    [end('c', 'stopped', 'another agent failed')],
  ],
  [
    'one that is offline at its turn is left out, and stops nothing',
    [host('a', {}, 'offline'), host('b', {})],
    [end('a', 'stopped', 'its agent is offline'), begin('b')],
  ],
  ['one that was installed again meanwhile is done', [host('a', {}, upgraded)], [end('a', 'done')]],
  ['nothing is left', [host('a', { state: 'done' }), host('b', { state: 'stopped' })], []],
])('%s', (_, hosts, steps) => {
  expect(nextSteps(hosts, now)).toEqual(steps)
})

test.each([
  [1, [1]],
  [2, [1, 2]],
  [11, [1, 2, ...Array(9).fill(3)]],
  [32, [1, 2, 2, 2, 2, ...Array(27).fill(3)]],
])('the waves of %i agents: one, a tenth, all others', (count, waves) => {
  expect(wavesOf(count)).toEqual(waves)
})
