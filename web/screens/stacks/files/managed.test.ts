import { expect, test } from 'vitest'
import { isManaged } from './managed.ts'
import type { StackDetails } from './stack.ts'

const source: StackDetails['source'] = {
  source: 'estate',
  path: '',
  also: [],
  on_change: 'plan',
  overwrite: false,
  acts_as: 'ada',
  bound_at: '2026-11-28T10:00:00.000Z',
  kept: ['note.txt'],
  synced: null,
  waiting: null,
  is_waiting: false,
  last_looked_at: null,
  next_look_at: null,
  last_error: null,
}

test.each([
  ['compose.yaml', false, true],
  ['note.txt', false, false],
  ['.env', true, false],
])('of a followed source, %s (secret: %s) is managed: %s', (path, secret, managed) => {
  expect(isManaged({ source }, { path, secret })).toBe(managed)
})

test('without a source no file is managed', () => {
  expect(isManaged({ source: null }, { path: 'compose.yaml', secret: false })).toBe(false)
})
