import { expect, test } from 'vitest'
import { systemClock } from '../node/process/clock.ts'
import { requestClock } from './request-clock.ts'

/** A clock over one of a machine whose two times the test sets. */
function machine() {
  const times = { wall: 1_000_000, monotonic: 50 }
  const clock = requestClock({
    ...systemClock,
    now: () => times.wall,
    monotonic: () => times.monotonic,
  })
  return { times, clock }
}

test('counts the time for which the monotonic clock stood still', () => {
  const { times, clock } = machine()
  expect(clock.monotonic()).toBe(50)
  times.wall += 3_600_000
  expect(clock.monotonic()).toBe(3_600_050)
  times.wall += 10
  times.monotonic += 10
  expect(clock.monotonic()).toBe(3_600_060)
})

test('counts it by the time of a request if the wall clock stood still too', () => {
  const { times, clock } = machine()
  clock.received(times.wall + 3_600_000)
  expect(clock.monotonic()).toBe(3_600_050)
})

test('is not ahead of the time if it did not stand still', () => {
  const { times, clock } = machine()
  for (let count = 0; count < 1000; count += 1) {
    times.monotonic += 0.4
    times.wall = 999_950 + Math.round(times.monotonic)
    clock.received(times.wall - 20)
    expect(Math.abs(clock.monotonic() - times.monotonic)).toBeLessThan(1)
  }
})

test('never goes back when the wall clock is set back or a request took long to arrive', () => {
  const { times, clock } = machine()
  times.wall += 1000
  expect(clock.monotonic()).toBe(1050)
  times.wall -= 3_600_000
  clock.received(times.wall)
  expect(clock.monotonic()).toBe(1050)
  times.monotonic += 5
  times.wall += 5
  expect(clock.monotonic()).toBe(1055)
})
