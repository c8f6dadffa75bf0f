import { expect, test } from 'vitest'
import { memoryClock } from '../../../adapters/testing/memory/clock.ts'
import { hourlyReminders } from './hourly-reminders.ts'

test('each key is due once, then once an hour, whatever the clock says', () => {
  const clock = memoryClock()
  const { isDue } = hourlyReminders(clock)
  expect([isDue('a'), isDue('a'), isDue('b')]).toEqual([true, false, true])
  clock.advance(3_599_999)
  expect(isDue('a')).toBe(false)
  clock.jump(86_400_000)
  expect(isDue('a')).toBe(false)
  clock.advance(1)
  expect([isDue('a'), isDue('a')]).toEqual([true, false])
})

test('a state lasts from the first question about it, and is forgotten after an hour', () => {
  const clock = memoryClock()
  const { lasted } = hourlyReminders(clock)
  expect([lasted('a'), lasted('b')]).toEqual([0, 0])
  clock.advance(3_599_999)
  clock.jump(86_400_000)
  expect(lasted('a')).toBe(3_599_999)
  clock.advance(1)
  expect([lasted('a'), lasted('b')]).toEqual([3_600_000, 0])
})
