import { expect, test } from 'vitest'
import type { Update } from '../../data/newer-images.ts'
import { asHostId, asHostName } from '../../host-ids.ts'
import { hasNextIn, isShown, nextOf, stateOf } from './filter-updates.ts'

const web: Update = {
  stack: 'shop',
  service: 'web',
  image: 'ghcr.io/Team/web:1.2',
  host_id: asHostId('h1'),
  host_name: asHostName('nas'),
  state: 'unknown',
  reason: 'ghcr.io has no such tag',
  running: [],
  newer: null,
  newer_tags: [],
  source_url: null,
  checked_at: null,
  next_check_at: null,
  next: { kind: 'none', at: null, reason: null },
}

test.each([
  ['', 'all', true],
  ['', 'unknown', true],
  ['', 'newer', false],
  ['shop', 'all', true],
  ['team/web', 'all', true],
  ['SHOP nas', 'all', true],
  ['shop moon', 'all', false],
  ['shop', 'current', false],
  ['', 'proposed', false],
] as const)('%j in state %s: %s', (text, state, expected) => {
  expect(isShown(web, { text, state, next: 'any' })).toBe(expected)
})

test.each([
  ['planned', ['any', 'automatic']],
  ['due', ['any', 'automatic']],
  ['watched', ['any', 'automatic']],
  ['by_hand', ['any', 'by_hand']],
  ['none', ['any']],
] as const)('what is next %s is found under %j', (kind, expected) => {
  const update = { ...web, next: { kind, at: null, reason: null } }
  const words = ['any', 'automatic', 'by_hand'] as const
  expect(words.filter((word) => hasNextIn(update, word))).toEqual(expected)
  expect(words.filter((next) => isShown(update, { text: '', state: 'all', next }))).toEqual(
    expected,
  )
})

test.each([
  ['automatic', 'automatic'],
  ['by_hand', 'by_hand'],
  ['', 'any'],
  ['toString', 'any'],
])('the next step %j of the address is %s', (word, expected) => {
  expect(nextOf(word)).toBe(expected)
})

test('a service with a newer version is shown whatever its image is', () => {
  const proposed = { ...web, newer_tags: [{ tag: '1.3', change: 'minor' as const, lines: [] }] }
  expect(isShown(proposed, { text: '', state: 'proposed', next: 'any' })).toBe(true)
  expect(isShown(proposed, { text: '', state: 'newer', next: 'any' })).toBe(false)
})

test.each([
  ['newer', 'newer'],
  ['proposed', 'proposed'],
  ['not_checked', 'not_checked'],
  ['all', 'all'],
  ['', 'newer'],
  ['toString', 'newer'],
])('the state %j of the address is %s', (word, expected) => {
  expect(stateOf(word)).toBe(expected)
})
