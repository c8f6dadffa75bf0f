import { expect, test } from 'vitest'
import type { Update } from '../api/types.ts'
import { countsText, nextText, sorted, updateDetail } from './update-words.ts'

const now = Date.parse('2026-06-01T12:00:00Z')

const update = (change: Partial<Update>): Update => ({
  stack: 'shop',
  service: 'web',
  image: 'nginx:1',
  host_id: 'local',
  host_name: 'Cellar',
  state: 'current',
  reason: null,
  running: [],
  newer: null,
  source_url: null,
  newer_tags: [],
  checked_at: null,
  next_check_at: null,
  next: { kind: 'none', at: null, reason: null },
  ...change,
})

test.each([
  ['2026-06-01T14:05:00.000Z', 'until 14:05Z: too many'],
  ['2026-06-02T11:59:59.000Z', 'until 11:59Z: too many'],
  ['2026-06-02T12:00:00.000Z', 'until 2026-06-02 12:00:00Z: too many'],
  ['2026-06-01T11:00:00.000Z', 'until 2026-06-01 11:00:00Z: too many'],
  [null, 'too many'],
])('an unknown state that is looked at again at %s: %s', (next_check_at, expected) => {
  const unknown = update({ state: 'unknown', reason: 'too many', next_check_at })
  expect(updateDetail(unknown, now)).toBe(expected)
})

test('the detail of a newer image has its source, and what failed since', () => {
  const source_url = 'https://example.org/web'
  const reason = 'no route to host'
  expect(updateDetail(update({ state: 'newer' }), now)).toBe(undefined)
  expect(updateDetail(update({ state: 'newer', source_url }), now)).toBe(source_url)
  expect(updateDetail(update({ state: 'newer', source_url, reason }), now)).toBe(
    `${source_url}; the last look failed: no route to host`,
  )
})

test('the detail of others is the next look, or why there is none', () => {
  const next_check_at = '2026-06-01T18:00:00.000Z'
  expect(updateDetail(update({ next_check_at }), now)).toBe('next look 18:00Z')
  expect(updateDetail(update({}), now)).toBe(undefined)
  expect(updateDetail(update({ state: 'not_checked', reason: 'it is built' }), now)).toBe(
    'it is built',
  )
})

test('the detail names tags of newer versions', () => {
  const newer_tags: Update['newer_tags'] = [
    { tag: '1.31', change: 'minor', lines: [] },
    { tag: '2.0', change: 'major', lines: [] },
  ]
  const reason = 'it is away'
  const versions = 'newer versions: 1.31 (minor), 2.0 (major)'
  expect(updateDetail(update({ newer_tags }), now)).toBe(versions)
  expect(updateDetail(update({ state: 'unknown', reason, newer_tags }), now)).toBe(
    `it is away; ${versions}`,
  )
  const lines = [{ file: 'compose.yaml', line: 3, text: 'image: nginx:1.31' }]
  expect(updateDetail(update({ newer_tags: [{ tag: '1.31', change: 'minor', lines }] }), now)).toBe(
    'newer versions: 1.31 (minor), in compose.yaml:3',
  )
})

test('sorts by state, then by stack and service', () => {
  const updates = [
    update({ state: 'not_checked' }),
    update({ state: 'current' }),
    update({ state: 'newer', service: 'web' }),
    update({ state: 'unknown', stack: 'a' }),
    update({ state: 'newer', service: 'db' }),
    update({ state: 'newer', stack: 'blog' }),
  ]
  expect(sorted(updates).map((one) => `${one.state} ${one.stack} ${one.service}`)).toEqual([
    'newer blog web',
    'newer shop db',
    'newer shop web',
    'unknown a web',
    'current shop web',
    'not_checked shop web',
  ])
})

test('counts states with the most frequent reasons, escaped and shortened', () => {
  const unchecked = ['b', 'a', 'a', 'c', 'd', 'd'].map((reason) =>
    update({ state: 'not_checked', reason }),
  )
  expect(countsText([update({}), ...unchecked])).toBe(
    '1 current, 6 not checked (a: 2; d: 2; b: 1; other reasons: 1)',
  )
  const odd = update({ state: 'unknown', reason: `\u001b[2J${'x'.repeat(200)}` })
  expect(countsText([odd, update({ state: 'newer', reason: 'not shown' })])).toMatch(
    /^1 newer, 1 unknown \(\\u001b\[2Jx+…: 1\)$/,
  )
  expect(countsText([])).toBe('')
})

test.each([
  [{ kind: 'none', at: null, reason: null }, undefined],
  [
    { kind: 'by_hand', at: null, reason: 'the update policy excepts this service' },
    'by hand: the update policy excepts this service',
  ],
  [
    { kind: 'planned', at: '2026-06-03T05:00:00.000Z', reason: null },
    'in 41 h, 2026-06-03 05:00:00Z',
  ],
  [{ kind: 'planned', at: '2026-06-02T03:00:00.000Z', reason: null }, 'in 15 h, 03:00Z'],
  [{ kind: 'due', at: null, reason: null }, 'now'],
  [{ kind: 'watched', at: null, reason: null }, 'applied, being watched'],
] as const)('what happens next: %j', (next, expected) => {
  expect(nextText(update({ next }), now)).toBe(expected)
})
