import { expect, test } from 'vitest'
import { fieldOf, rangeOf, timeOfField } from './log-range.ts'

const noon = Date.UTC(2026, 10, 29, 12)
const none = { last: '', from: '', to: '' }

test('a length ends now, by the clock of the service', () => {
  expect(rangeOf({ ...none, last: '15m' }, noon)).toEqual({ since: '2026-11-29T11:45:00.000Z' })
  expect(rangeOf({ ...none, last: '24h' }, noon)).toEqual({ since: '2026-11-28T12:00:00.000Z' })
})

test('a range has a beginning, an end, or both', () => {
  const [from, to] = ['2026-11-29T10:00:00Z', '2026-11-29T11:00:00Z']
  expect(rangeOf({ ...none, from, to }, noon)).toEqual({ since: from, until: to })
  expect(rangeOf({ ...none, to }, noon)).toEqual({ until: to })
})

test('what cannot be read is ignored', () => {
  expect(rangeOf({ last: 'week', from: 'yesterday', to: '' }, noon)).toEqual({})
})

test('a field has the time of the browser, the address that of everyone', () => {
  expect(timeOfField(fieldOf('2026-11-29T10:00:05Z'))).toBe('2026-11-29T10:00:05Z')
  expect([fieldOf('none'), timeOfField(''), timeOfField('none')]).toEqual(['', '', ''])
})
