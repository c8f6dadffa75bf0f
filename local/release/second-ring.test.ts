import { expect, test } from 'vitest'
import { unprovenParts } from './second-ring.ts'

const part = { name: 'fuzz', command: 'npm test -- --all fuzz', covers: ['functions/compose/'] }
const record = { date: '2026-11-20', commit: 'a'.repeat(40), passed: 7, failed: 0 }
const change = { commit: 'b'.repeat(40), date: '2026-11-25' }

/** A history whose last change is, or is not, in the recorded commit. */
const history = (isInHistory: boolean) => ({
  lastChangeOf: () => change,
  isInHistory: () => isInHistory,
})

test('a part that passed after the last change of what it covers is proven', () => {
  expect(unprovenParts({ fuzz: record }, history(true), [part])).toEqual([])
})

test('a part whose files were never committed is proven by any run', () => {
  const none = { lastChangeOf: () => undefined, isInHistory: () => false }
  expect(unprovenParts({ fuzz: record }, none, [part])).toEqual([])
})

test.each([
  ['missing', {}, true, 'no run is recorded'],
  [
    'failed',
    { fuzz: { ...record, failed: 2 } },
    true,
    'its last run, on 2026-11-20 at aaaaaaaa, had 7 passed and 2 failed tests',
  ],
  [
    'empty',
    { fuzz: { ...record, passed: 0 } },
    true,
    'its last run, on 2026-11-20 at aaaaaaaa, had 0 passed and 0 failed tests',
  ],
  [
    'older than a change',
    { fuzz: record },
    false,
    'its last run, on 2026-11-20 at aaaaaaaa, does not have the change of 2026-11-25 in bbbbbbbb',
  ],
])('a release is refused if the run of a part is %s', (_, records, isInHistory, problem) => {
  expect(unprovenParts(records, history(isInHistory), [part])).toEqual([
    `second ring, fuzz: ${problem}. Run: npm test -- --all fuzz`,
  ])
})

test('every part of this tree is judged', () => {
  expect(unprovenParts({}).length).toBeGreaterThan(20)
})
