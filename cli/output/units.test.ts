import { expect, test } from 'vitest'
import { uptime } from './units.ts'

const hour = 3_600_000

test.each([
  [-5000, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [hour - 1, '59 min'],
  [hour, '1 h'],
  [48 * hour - 1, '47 h'],
  [48 * hour, '2 d'],
])('%d ms is %s', (milliseconds, text) => expect(uptime(milliseconds)).toBe(text))
