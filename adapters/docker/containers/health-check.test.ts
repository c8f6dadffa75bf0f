import { expect, test } from 'vitest'
import { healthCheckOf } from './health-check.ts'

const second = 1e9

test('returns the times of a health check, with those of the Engine where it names none', () => {
  const Test = ['CMD', 'true']
  const all = { Interval: 5 * second, Timeout: second, StartPeriod: 90 * second, Retries: 2 }
  expect(healthCheckOf({ Test, ...all })).toEqual({
    startPeriod: 90_000,
    interval: 5000,
    timeout: 1000,
    retries: 2,
  })
  const named = { startPeriod: 0, interval: 30_000, timeout: 30_000, retries: 3 }
  expect(healthCheckOf({ Test })).toEqual(named)
  expect(healthCheckOf({ Test, Interval: 0, Retries: 0 })).toEqual(named)
})

test.each([undefined, {}, { Test: [] }, { Test: ['NONE'] }])('%j is no health check', (config) => {
  expect(healthCheckOf(config)).toBe(undefined)
})
