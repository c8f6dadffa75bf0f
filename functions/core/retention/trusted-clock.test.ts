import { expect, test } from 'vitest'
import { isTrusted, observeClock } from './trusted-clock.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns whether the clock is trusted after it showed these times in order. */
function trustedAfter(times: number[]) {
  let record: ReturnType<typeof observeClock> | undefined
  for (const at of times) record = observeClock(record, at)
  return isTrusted(record!)
}

/** Returns times five minutes apart over the duration `long`, starting at `from`. */
const steady = (from: number, long: number) =>
  Array.from({ length: long / 300_000 + 1 }, (_, index) => from + index * 300_000)

test('a clock that runs on is believed', () => {
  expect(trustedAfter([day])).toBe(true)
  expect(trustedAfter(steady(day, 3 * hour))).toBe(true)
})

test('after a jump of a day it is believed an hour later, and not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(3 * day, hour - 300_000)])).toBe(false)
  expect(trustedAfter([...before, ...steady(3 * day - 12 * hour, hour)])).toBe(true)
})

test('after a jump of ten days it is believed six hours later, and not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(11 * day, 5 * hour)])).toBe(false)
  expect(trustedAfter([...before, ...steady(11 * day, 6 * hour)])).toBe(true)
})

test('after a jump of a year it is believed three days later, and not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(366 * day, 71 * hour)])).toBe(false)
  expect(trustedAfter([...before, ...steady(366 * day, 72 * hour)])).toBe(true)
})

test('a jump ahead and back within the hour leaves it doubted until it has run on', () => {
  const times = [
    ...steady(day, hour),
    ...steady(2 * day, 1800_000),
    ...steady(day + hour, 1800_000),
  ]
  expect(trustedAfter(times)).toBe(false)
  expect(trustedAfter([...times, ...steady(day + hour + 1800_000, hour)])).toBe(true)
})

test('a clock that is set back by a minute is believed', () => {
  expect(trustedAfter([day, day - 60_000])).toBe(true)
  expect(trustedAfter([day, day - 2 * hour])).toBe(false)
})

test('a service that runs two hours a day comes to sweep', () => {
  const days = [1, 2, 3].flatMap((at) => steady(at * day, 2 * hour))
  expect(trustedAfter(days)).toBe(true)
})
