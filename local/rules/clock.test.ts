import { expect, test } from 'vitest'
import { clockReaders } from './clock.ts'

const offences = (text: string, path = 'web/screens/a.tsx') => clockReaders([{ path, text }])

test.each([
  'const at = Date.now()',
  'makeTokens({ now: Date.now })',
  'const at = new Date().toISOString()',
  'const at = new Date( )',
  'const at = new Date',
  'const text = Date()',
])('finds a page that reads the clock of the browser: %s', (text) => {
  expect(offences(text)).toHaveLength(1)
  expect(offences(text, 'web/data/clock.ts')).toEqual([])
  expect(offences(text, 'web/data/clock.test.ts')).toEqual([])
  expect(offences(text, 'cli/a.ts')).toEqual([])
})

test.each([
  'const at = new Date(time)',
  'const at = Date.parse(time)',
  '// Not by Date.now()',
  'const one: Date = new DateRange()',
  'performance.now()',
])('accepts %s', (text) => {
  expect(offences(text)).toEqual([])
})
