import { expect, test } from 'vitest'
import { type Language, ofTexts, regional } from './text.ts'

/** 1:04 in the morning, where the clock of the tests is. */
const morning = new Date(2026, 2, 9, 1, 4)

test.each<[string, Language, string, string]>([
  ['en-GB', 'en', 'en-GB', '9 Mar 2026, 01:04'],
  ['en-US', 'en', 'en-US', 'Mar 9, 2026, 1:04 AM'],
  ['en', 'en', 'en-US', 'Mar 9, 2026, 1:04 AM'],
  ['de-DE', 'en', 'en-DE', '9 Mar 2026, 01:04'],
  ['de', 'en', 'en-DE', '9 Mar 2026, 01:04'],
  ['de-AT', 'de', 'de-AT', '09.03.2026, 01:04'],
  ['en-US', 'de', 'de-US', '09.03.2026, 01:04'],
])('a browser in %s with texts in %s uses the formats of %s', (browser, chosen, wanted, shown) => {
  const used = regional(chosen, browser)
  expect(used).toBe(wanted)
  const format = new Intl.DateTimeFormat(used, { dateStyle: 'medium', timeStyle: 'short' })
  expect(format.format(morning).replaceAll('\u202f', ' ')).toBe(shown)
})

test.each<[string, Language, string]>([
  ['en-GB', 'en', '1,234.5'],
  ['de-DE', 'en', '1,234.5'],
  ['de-DE', 'de', '1.234,5'],
  ['en-US', 'de', '1.234,5'],
])('a browser in %s with texts in %s shows the number %s', (browser, chosen, shown) => {
  expect(new Intl.NumberFormat(ofTexts(chosen, browser)).format(1234.5)).toBe(shown)
})
