import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { whenText } from './when-text.ts'

setTexts(en)

beforeEach(() => void vi.stubGlobal('navigator', { language: 'en-GB' }))
afterEach(() => void vi.unstubAllGlobals())

const now = new Date(2026, 10, 29, 22, 30).getTime()

test.each([
  [new Date(2026, 10, 29, 23, 5), 'today at 23:05'],
  [new Date(2026, 10, 30, 3, 0), 'tomorrow at 03:00'],
  [new Date(2026, 10, 30, 23, 59), 'tomorrow at 23:59'],
  [new Date(2026, 11, 1, 0, 0), 'on Tue 1 Dec at 00:00'],
  [new Date(2027, 0, 3, 3, 0), 'on Sun 3 Jan at 03:00'],
])('%s is %s', (at, expected) => {
  expect(whenText(at.getTime(), now).replace(',', '')).toBe(expected)
})
