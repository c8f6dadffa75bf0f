import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { isTrusted, observeClock } from './trusted-clock.ts'

const hour = 3_600_000
const day = 24 * hour

/** Returns whether the clock is trusted after it showed these times in order. */
function trustedAfter(times: number[]) {
  let record: ReturnType<typeof observeClock> | undefined
  for (const at of times) record = observeClock(record, at)
  return isTrusted(present(record))
}

/** Returns times five minutes apart from `from` until `long` milliseconds later. */
const steady = (from: number, long: number) =>
  Array.from({ length: long / 300_000 + 1 }, (_, index) => from + index * 300_000)

test('trusts a clock that runs steadily', () => {
  expect(trustedAfter([day])).toBe(true)
  expect(trustedAfter(steady(day, 3 * hour))).toBe(true)
})

test('trusts a clock an hour after a jump of a day, not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(3 * day, hour - 300_000)])).toBe(false)
  expect(trustedAfter([...before, ...steady(3 * day - 12 * hour, hour)])).toBe(true)
})

test('trusts a clock six hours after a jump of ten days, not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(11 * day, 5 * hour)])).toBe(false)
  expect(trustedAfter([...before, ...steady(11 * day, 6 * hour)])).toBe(true)
})

test('trusts a clock three days after a jump of a year, not before', () => {
  const before = steady(day, hour)
  expect(trustedAfter([...before, ...steady(366 * day, 71 * hour)])).toBe(false)
  expect(trustedAfter([...before, ...steady(366 * day, 72 * hour)])).toBe(true)
})

test('trusts a clock that jumped ahead and back only after another steady hour', () => {
  const times = [
    ...steady(day, hour),
    ...steady(2 * day, 1800_000),
    ...steady(day + hour, 1800_000),
  ]
  expect(trustedAfter(times)).toBe(false)
  expect(trustedAfter([...times, ...steady(day + hour + 1800_000, hour)])).toBe(true)
})

test('trusts a clock that is set back by a minute', () => {
  expect(trustedAfter([day, day - 60_000])).toBe(true)
  expect(trustedAfter([day, day - 2 * hour])).toBe(false)
})

test('a service that runs two hours a day still sweeps', () => {
  const days = [1, 2, 3].flatMap((at) => steady(at * day, 2 * hour))
  expect(trustedAfter(days)).toBe(true)
})
