import { expect, test } from 'vitest'
import type { FollowedSource } from '../../data/stack-source.ts'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { followState, remedyFor, takenText } from './followed-words.ts'

setTexts(en)

const synced = {
  revision: '0123456789abcdef',
  tree_id: 't1',
  author: 'Ada',
  subject: 'Greet',
  made_at: null,
  synced_at: '2026-11-29T12:00:00.000Z',
}
const followed = (more: Partial<FollowedSource> = {}): FollowedSource => ({
  source: 'estate',
  path: '',
  also: [],
  on_change: 'deploy',
  overwrite: false,
  acts_as: 'ada',
  bound_at: '2026-11-28T10:00:00.000Z',
  kept: [],
  synced,
  waiting: null,
  is_waiting: false,
  last_looked_at: null,
  next_look_at: null,
  last_error: null,
  ...more,
})
const last_error = {
  reason: 'drift',
  message: 'a file was edited',
  next_at: null,
  deployment_id: null,
}
const undeployed = { ...last_error, reason: 'deployment-failed', deployment_id: '019a' }

test.each<[string, string, Partial<FollowedSource>]>([
  ['running', 'Follows estate', {}],
  ['running', 'Follows estate, folder apps/shop', { path: 'apps/shop' }],
  ['unknown', 'Not synced with estate yet', { synced: null }],
  ['working', 'A sync with estate waits', { synced: null, is_waiting: true }],
  ['failed', 'Does not follow estate', { is_waiting: true, last_error }],
  ['failed', 'Could not deploy estate', { last_error: undeployed }],
])('a stack is %s: %s', (of, word, more) => {
  expect(followState(followed(more))).toEqual({ of, word })
})

test('a reason has a remedy, or the message alone says what to do', () => {
  const reasons = ['drift', 'policy', 'malformed', 'host-key-unknown', 'limited', 'constructor']
  const remedies = ['drift', 'files', 'files', 'look', undefined, undefined]
  expect(reasons.map(remedyFor)).toEqual(remedies)
})

test('what a deployment took has its title, if the source says one, and what began it', () => {
  const { revision, subject } = synced
  expect(takenText({ revision, subject, trigger: 'look' })).toBe(
    '0123456789ab Greet (after a look)',
  )
  expect(takenText({ revision: 'sha256:1a', subject: null, trigger: 'user' })).toBe(
    '1a (after a sync by hand)',
  )
})
