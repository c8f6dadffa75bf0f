import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { formatPercent } from './format-percent.ts'

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-GB' }))
afterEach(() => void vi.unstubAllGlobals())

test.each([
  [0, '0 %'],
  [4.24, '4.2 %'],
  [12.5, '13 %'],
  [1234, '1,234 %'],
])('%s is %s', (value, text) => {
  expect(formatPercent(value)).toBe(text)
})
