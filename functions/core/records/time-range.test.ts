import { expect, test } from 'vitest'
import { memoryClock } from '../../../adapters/testing/memory/clock.ts'
import { memoryRandom } from '../../../adapters/testing/memory/random.ts'
import { firstIdAt, isMadeIn, madeAt } from './time-range.ts'

const idMadeAt = (at: number) => memoryRandom(memoryClock(at)).id()

test('the first id of a moment sorts before ids of that moment and after older ones', () => {
  const at = Date.parse('2026-06-01T12:00:00Z')
  for (const moment of [0, 1, at]) {
    expect(firstIdAt(moment) < idMadeAt(moment)).toBe(true)
    if (moment > 0) expect(firstIdAt(moment) > idMadeAt(moment - 1)).toBe(true)
  }
})

test('an id says when it was made', () => {
  const at = Date.parse('2026-06-01T12:00:00.123Z')
  for (const moment of [0, 1, at]) expect(madeAt(idMadeAt(moment))).toBe(moment)
})

test('a range includes its beginning and excludes its end', () => {
  const id = idMadeAt(1000)
  expect(isMadeIn(id, {})).toBe(true)
  expect(isMadeIn(id, { since: 1000 })).toBe(true)
  expect(isMadeIn(id, { since: 1001 })).toBe(false)
  expect(isMadeIn(id, { until: 1001 })).toBe(true)
  expect(isMadeIn(id, { until: 1000 })).toBe(false)
})
