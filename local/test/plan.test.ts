import { expect, test } from 'vitest'
import { planOf } from './plan.mjs'

const recorded = {
  commit: '0123456789abcdef',
  seconds: { unit: 290, rest: 2024 },
  files: { 'a.engine.test.ts': 500, 'b.timing.test.ts': 200, 'c.timing.test.ts': 90 },
}

test('the first line says the minutes of each tier', () => {
  expect(planOf(recorded)).toBe(
    'Running all tests, in 39 min when recorded at 01234567: unit 5 min, engine 31 min, timing 2 min',
  )
})

test('the first line says that the second ring follows', () => {
  expect(planOf(recorded, true)).toMatch(/timing 2 min, and the second ring after them$/)
})
