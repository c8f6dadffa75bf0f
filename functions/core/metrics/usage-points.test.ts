import { expect, test } from 'vitest'
import type { UsageLevel, UsageSeries } from '../records/usage-history.ts'
import { boundNames, boundSeries, expiryOf, seriesIn, thin, withFiner } from './usage-points.ts'

const minute = 60_000
const ten = 10 * minute

/** Returns a point at this minute. Levels are `[mean, max]`, or null. */
const point = (at: number, levels: UsageLevel[], minutes = 1) => ({
  at: at * minute,
  minutes,
  levels,
})

/** Returns a series with a point of these minutes. */
const series = (key: string, minutes = 1, name = key): UsageSeries => ({
  key,
  name,
  id: '',
  points: [point(0, [[1, 1]], minutes)],
})

test.each([
  ['no points', [], []],
  ['one point', [point(3, [[2, 5]])], [point(0, [[2, 5]])]],
  [
    'means are weighted by minutes, the largest value is the largest',
    [point(0, [[10, 20]], 1), point(1, [[40, 41]], 2)],
    [point(0, [[30, 41]], 3)],
  ],
  [
    'what was not measured does not count',
    [point(0, [null, [1, 1]]), point(1, [[8, 9], null])],
    [
      point(
        0,
        [
          [8, 9],
          [1, 1],
        ],
        2,
      ),
    ],
  ],
  ['what was never measured stays unknown', [point(0, [null])], [point(0, [null])]],
  [
    'a time without points stays a gap, and the order is that of time',
    [point(31, [[3, 3]]), point(9, [[1, 1]]), point(0, [[1, 1]])],
    [point(0, [[1, 1]], 2), point(30, [[3, 3]])],
  ],
  [
    'points with fewer figures leave the others unknown',
    [
      point(0, [[1, 1]]),
      point(1, [
        [3, 3],
        [7, 7],
      ]),
    ],
    [
      point(
        0,
        [
          [2, 3],
          [7, 7],
        ],
        2,
      ),
    ],
  ],
])('thins to ten minutes: %s', (_, points, wanted) => {
  expect(thin(points, ten)).toEqual(wanted)
})

test('thinning in two steps has the result of one', () => {
  const points = Array.from({ length: 120 }, (_, at) => point(at, [[at % 7, at % 11]])).filter(
    (_, at) => at % 13 !== 0,
  )
  const twice = thin(thin(points, ten), 6 * ten)
  const once = thin(points, 6 * ten)
  expect(twice.map(({ minutes }) => minutes)).toEqual(once.map(({ minutes }) => minutes))
  for (const [index, { levels }] of twice.entries()) {
    expect(levels[0]?.[0]).toBeCloseTo(once[index]?.levels[0]?.[0] ?? Number.NaN)
    expect(levels[0]?.[1]).toBe(once[index]?.levels[0]?.[1])
  }
})

test('finer points add what is missing, and change nothing else', () => {
  const known = [point(10, [[5, 5]], 10)]
  const finer = [point(11, [[9, 9]]), point(25, [[1, 2]]), point(26, [[3, 3]])]
  expect(withFiner(known, finer, ten)).toEqual([point(10, [[5, 5]], 10), point(20, [[2, 3]], 2)])
})

test('a series of several blocks is joined, with its last name', () => {
  const [old, renamed] = [series('shop/web/1', 1, 'old'), series('shop/web/1', 2, 'new')]
  const [joined, other] = seriesIn([{ series: [old, series('db')] }, { series: [renamed] }])
  expect(joined).toMatchObject({ name: 'new', points: [{ minutes: 1 }, { minutes: 2 }] })
  expect(other).toMatchObject({ key: 'db' })
})

test('a block has the host and the hundred containers that were measured longest', () => {
  const many = Array.from({ length: 102 }, (_, at) => series(`c${at}`, at + 1))
  const bound = boundSeries([...many, series('', 1)], ['earlier', 'c5'])
  expect(bound.series).toHaveLength(101)
  expect(bound.series[0]?.key).toBe('')
  expect(bound.leftOut).toEqual(['c0', 'c1', 'earlier'])
})

test('names that are left out are bounded, sorted, and those of no series', () => {
  const names = Array.from({ length: 150 }, (_, at) => `c${1000 + at}`)
  const left = boundNames([...names].reverse(), [series('a', 1, 'c1000')])
  expect(left).toHaveLength(100)
  expect(left[0]).toBe('c1001')
})

test.each([
  ['minute', 31, 10 * minute + 120 * minute],
  ['ten_minutes', 31, 2 * 60 * minute + 2 * 1440 * minute],
  ['ten_minutes', 1, 2 * 60 * minute + 1440 * minute],
  ['hour', 31, 32 * 1440 * minute],
  ['hour', 7, 8 * 1440 * minute],
] as const)('a block of %s with %i days is kept until its last point is too old', (...given) => {
  const [step, days, wanted] = given
  expect(expiryOf({ step, from: 1000 }, days)).toBe(1000 + wanted)
})
