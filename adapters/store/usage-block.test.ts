import { expect, test } from 'vitest'
import { seriesMax } from '../../functions/core/metrics/usage-points.ts'
import type { UsageBlock, UsageLevel } from '../../functions/core/records/usage-history.ts'
import { packed } from './item.ts'
import { packBlock, unpackBlock } from './usage-block.ts'

const hour = 3_600_000
const from = Date.UTC(2026, 5, 1)
const place = { step: 'hour' as const, from, mark: 'm' }

const blockWith = (levels: UsageLevel[]): UsageBlock => ({
  ...place,
  series: [
    { key: 'web', name: 'web', id: 'w', points: [{ at: from + hour, minutes: 60, levels }] },
  ],
  leftOut: ['other'],
})

test('percentages keep two digits, sizes none, and what is unknown stays unknown', () => {
  const given = blockWith([[1.23456, 99.999], null, [0, 0], [12_345.6, 98_765_432_101.2]])
  const wanted = blockWith([[1.23, 100], null, [0, 0], [12_346, 98_765_432_101]])
  const stored = JSON.parse(JSON.stringify(packBlock(given)))
  expect(unpackBlock(stored, place)).toEqual(wanted)
})

test('the largest block fits into an item of 400 KB', () => {
  let seed = 1
  /** The same digits for each run, which compress badly. */
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const size = (): UsageLevel => [random() * 1e12, random() * 1e12]
  const points = () =>
    Array.from({ length: 24 }, (_, at) => ({
      at: from + at * hour,
      minutes: 60,
      levels: [[random() * 100, random() * 100] as UsageLevel, ...Array.from({ length: 5 }, size)],
    }))
  const series = Array.from({ length: seriesMax + 1 }, (_, at) => ({
    key: `${'stack-with-a-long-name'.repeat(2)}/${'service'.repeat(6)}/${at}`,
    name: 'n'.repeat(100),
    id: '4f6d1b0c9a2e4f6d',
    points: points(),
  }))
  const leftOut = Array.from({ length: seriesMax }, (_, at) => `${'left-out'.repeat(12)}-${at}`)
  const { zip } = packed(packBlock({ ...place, series, leftOut }))
  expect(zip?.length).toBeLessThan(300_000)
})
