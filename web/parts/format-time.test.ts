import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lengthSince, pastTime, relativeTime, shortTime, timeToSecond } from './format-time.ts'

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-GB' }))
afterEach(() => void vi.unstubAllGlobals())

const now = Date.UTC(2026, 2, 9, 1, 4)
const minute = 60_000

test.each([
  [-27 * minute, '27 minutes ago', '27 min'],
  [-26 * 60 * minute, '1 day ago', '1 d'],
  [-59_999, 'now', '60 s'],
  [0, 'now', '0 ms'],
  [9 * minute, 'now', '0 ms'],
  [50 * 60 * minute, 'now', '0 ms'],
])('what was %d ms from now is never ahead, and has no negative length', (from, past, length) => {
  expect(pastTime(now + from, now)).toBe(past)
  expect(lengthSince(now + from, now)).toBe(length)
})

test.each([
  [9 * minute, 'in 9 minutes'],
  [50 * 60 * minute, 'in 2 days'],
  [-9 * minute, '9 minutes ago'],
])('what is due %d ms from now may be ahead', (from, words) => {
  expect(relativeTime(now + from, now)).toBe(words)
})

test('a moment is shown to the minute, or to the second', () => {
  const at = new Date(2026, 10, 23, 14, 7, 1)
  expect(shortTime(at)).toBe('23 Nov 2026, 14:07')
  expect(timeToSecond(at.getTime())).toBe('23 Nov 2026, 14:07:01')
})
