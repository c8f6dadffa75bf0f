import { expect, test } from 'vitest'
import { parseDuration } from './duration.ts'

test.each([
  ['90s', 90],
  ['5m', 300],
  ['8h', 28_800],
  ['2d', 172_800],
  ['1h30m', 5400],
  ['1d2h3m4s', 93_784],
  ['0s', 0],
  ['100000d', 8_640_000_000],
])('%s is %d seconds', (text, expected) => {
  expect(parseDuration(text)).toBe(expected)
})

test.each([
  ...['', 's', '5', '5x', '30m1h', '1h1h', '-5m', '1.5h', ' 5m', '5m ', '5 m', '1h30'],
  '100001d',
])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})

test.each([
  ['90', 's', 90],
  ['90', 'd', 7_776_000],
  ['90s', 'd', 90],
] as const)('%s where a number alone is in %s is %d seconds', (text, plain, expected) => {
  expect(parseDuration(text, plain)).toBe(expected)
})
