import { expect, test } from 'vitest'
import type { HistoryPoint } from './usage-history.ts'
import { beginsAt, spacedPoints } from './usage-points.ts'

const begin = Date.UTC(2026, 5, 1, 12)
const timeAt = (minute: number) => new Date(begin + minute * 60_000).toISOString()
const pointAt = (minute: number) => ({ time: timeAt(minute), memory: null }) as HistoryPoint

/** Returns the minutes of a chart of a history with points at `minutes`, and `-` for gaps. */
function drawn(minutes: readonly number[], to: number) {
  const points = minutes.map(pointAt)
  const spaced = spacedPoints({ points, step_seconds: 60, to: timeAt(to) })
  return spaced.times.map((time, index) => {
    const minute = (time * 1000 - begin) / 60_000
    return spaced.points[index] ? minute : `- ${minute}`
  })
}

test.each([
  ['no points', [], 5, []],
  ['points without a gap, and the time of the last one', [0, 1, 2], 5, [0, 1, 2, 3]],
  ['the last one until now', [0, 1], 1.5, [0, 1, 1.5]],
  ['nothing after now', [0], 0, [0]],
  ['a gap, between the end of a point and the next one', [0, 1, 5], 9, [0, 1, 2, '- 3.5', 5, 6]],
  ['a point alone as a line', [0, 4, 8], 9, [0, 1, '- 2.5', 4, 5, '- 6.5', 8, 9]],
])('draws %s', (_, minutes, to, wanted) => {
  expect(drawn(minutes, to)).toEqual(wanted)
})

test('a history begins later than its range if there are no points before', () => {
  const history = (first: number[]) => ({
    from: timeAt(0),
    to: timeAt(60),
    step_seconds: 60,
    recording: true,
    points: first.map(pointAt),
  })
  expect(beginsAt(history([]))).toBeUndefined()
  expect(beginsAt(history([1, 2]))).toBeUndefined()
  expect(beginsAt(history([20, 21]))).toBe(timeAt(20))
})
