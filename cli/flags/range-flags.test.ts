import { expect, test } from 'vitest'
import { olderThan, rangeQuery } from './range-flags.ts'

const now = Date.parse('2026-06-01T12:00:00Z')

test('takes times as they are and durations as times before now', () => {
  expect(rangeQuery({ since: '2d', until: '2026-06-01' }, now)).toEqual({
    since: '2026-05-30T12:00:00.000Z',
    until: '2026-06-01',
  })
  expect(rangeQuery({}, now)).toEqual({ since: undefined, until: undefined })
})

test('says how to reach entries older than the last one', () => {
  const older = olderThan((row: { at: string }) => row.at)
  const [fresh, last] = [{ at: '2026-06-01T12:00:00.000Z' }, { at: '2026-06-01T11:59:59.999Z' }]
  expect(older([fresh, last])).toBe('older ones: --until 2026-06-01T12:00:00.000Z')
  expect(older([])).toBeUndefined()
})
