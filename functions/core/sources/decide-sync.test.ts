import { expect, test } from 'vitest'
import type { StackSource } from '../records/stack-source.ts'
import { decideSync, isOtherAlso, isSyncDue, retryAt } from './decide-sync.ts'

const minute = 60_000
const now = 1_700_000_000_000
const synced = { revision: 'r1', treeId: 'a', at: 0 }
const last = {
  deploymentId: 'd1',
  kind: 'deploy' as const,
  status: 'succeeded' as const,
  error: null,
  finishedAt: 0,
}

test.each([
  ['deploy', 'b', 'look', true, 'deploy', 'new content is deployed'],
  ['deploy', 'a', 'look', true, 'nothing', 'equal content, also after a rollback'],
  ['deploy', 'a', 'user', true, 'deploy', 'a user takes it again'],
  ['deploy', 'b', 'look', false, 'revision', 'a stopped stack stays stopped'],
  ['deploy', 'b', 'user', false, 'revision', 'and also if a user asks'],
  ['plan', 'b', 'look', true, 'revision', 'only the files'],
  ['plan', 'a', 'look', true, 'nothing', 'equal content'],
  ['plan', 'a', 'user', true, 'revision', 'a user takes it again'],
  ['notify', 'b', 'look', true, 'notify', 'it is only said'],
  ['notify', 'a', 'look', true, 'nothing', 'equal content'],
  ['notify', 'b', 'user', true, 'revision', 'a user takes it'],
] as const)('%s, content %s, by %s, deployed %s: %s', (onChange, id, by, deployed, expected, _) => {
  const source = { onChange, synced, askedAt: by === 'user' ? now : null, isFreed: false }
  expect(decideSync(source, id, { deployed, last })).toBe(expected)
})

test.each(['notify', 'plan', 'deploy'] as const)(
  'with %s the hook of the stack has new content taken, and deploys it itself',
  (onChange) => {
    const source = { onChange, synced, askedAt: null, hookAskedAt: now, isFreed: false }
    expect(decideSync(source, 'b', { deployed: true, last })).toBe('revision')
    // Nothing is taken again: a rollback lasts.
    expect(decideSync(source, 'a', { deployed: true, last })).toBe('nothing')
  },
)

test.each([
  ['notify', true, 'notify'],
  ['plan', true, 'revision'],
  ['deploy', true, 'deploy'],
  ['deploy', false, 'revision'],
] as const)('the first time with %s, deployed %s: %s', (onChange, deployed, expected) => {
  const source = { onChange, synced: null, askedAt: null, isFreed: false }
  expect(decideSync(source, 'a', { deployed, last })).toBe(expected)
})

test('a file that was deleted is taken, and nothing is deployed for it nor after a rollback', () => {
  const source = { onChange: 'deploy', synced, askedAt: null, isFreed: true } as const
  expect(decideSync(source, 'a', { deployed: true, last })).toBe('revision')
  const rolledBack = { deployed: true, last: { ...last, isRolledBack: true as const } }
  expect(decideSync(source, 'a', rolledBack)).toBe('nothing')
  expect(decideSync(source, 'b', rolledBack)).toBe('deploy')
})

test.each([
  ['a b', 'a c', true],
  ['a b', 'd b', false],
  ['a b c', 'd b e', true],
  ['a', 'd', false],
  // The place was another one.
  ['', 'a b', false],
])('from %s to %s another folder changed: %s', (before, now, expected) => {
  expect(isOtherAlso({ ...synced, treeId: before }, now)).toBe(expected)
})

const idle: StackSource = {
  source: 'shop',
  sourceCreatedAt: 0,
  sourceUpdatedAt: 0,
  path: '',
  also: [],
  onChange: 'deploy',
  overwrite: false,
  actsAs: { accountId: null, username: null, since: 0, stacks: [], blocked: null },
  boundAt: 0,
  kept: [],
  isFreed: false,
  askedAt: null,
  comparedRevision: 'r1',
  waiting: null,
  synced,
  deploys: null,
  problem: null,
}
const failed = (nextAt: number) => ({
  reason: 'denied',
  message: 'no',
  revision: 'r2',
  failures: 1,
  nextAt,
})

test.each([
  ['a revision that was compared', {}, 'r1', false],
  ['another revision', {}, 'r2', true],
  ['a source that is not known yet', { comparedRevision: null }, null, false],
  ['a source that is gone', {}, undefined, true],
  ['a user asks', { askedAt: now }, 'r1', true],
  ['a deployment is to begin', { deploys: 'look' as const }, 'r1', true],
  ['a failure that waits', { problem: failed(now + minute) }, 'r2', false],
  [
    'a deployment that waits after a failure, and a later revision was compared',
    { deploys: 'look' as const, comparedRevision: 'r2', problem: failed(now + minute) },
    'r2',
    false,
  ],
  ['something else after a failure', { problem: failed(now + minute) }, 'r3', true],
  ['a failure that has waited', { problem: failed(now) }, 'r2', true],
  [
    'what failed for a user, has waited and is nothing new',
    { askedAt: now - minute, comparedRevision: null, problem: { ...failed(now), revision: 'r1' } },
    'r1',
    true,
  ],
  ['a wait of a clock that was ahead', { problem: failed(now + 61 * minute) }, 'r2', true],
])('is due: %s', (_, change, revision, isDue) => {
  expect(isSyncDue({ ...idle, ...change }, revision, now)).toBe(isDue)
})

test('failures in a row wait longer, an hour at the most', () => {
  expect([1, 2, 3, 7, 5000].map((count) => (retryAt(count, now) - now) / minute)).toEqual([
    1, 2, 4, 60, 60,
  ])
})
