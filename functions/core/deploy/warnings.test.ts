import { expect, test } from 'vitest'
import { warningsOf } from './warnings.ts'

test('returns each warning once, and limits their number and length', () => {
  expect(warningsOf(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c'])
  const many = Array.from({ length: 130 }, (_, index) => `${index}${'x'.repeat(1000)}`)
  const kept = warningsOf(many)
  expect(kept).toHaveLength(100)
  expect(kept.at(-1)).toBe('31 more warnings are not shown')
  expect(kept[0]).toHaveLength(500)
  expect(warningsOf(many.slice(0, 100)).at(-1)).toMatch(/^99x/)
})
