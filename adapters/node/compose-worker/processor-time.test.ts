import { expect, test } from 'vitest'
import { present } from '../../testing/present.ts'
import { processorTime } from './processor-time.ts'

/** How far the value may be off: what Linux reports is rounded to hundredths of a second. */
const rounding = 20

test('is the time that the process itself measures', () => {
  const own = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const before = own()
  while (own() < before + 300) Math.sqrt(2)
  const least = own()
  const value = present(processorTime(process.pid))
  expect(value).toBeGreaterThanOrEqual(least - rounding)
  expect(value).toBeLessThanOrEqual(own() + rounding)
})

test('returns undefined for a process that does not exist', () => {
  expect(processorTime(2 ** 30)).toBeUndefined()
})
