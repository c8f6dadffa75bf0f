import { expect, test } from 'vitest'
import { matchesAny, matchesGlob } from './glob.ts'

test.each([
  ['shop', 'shop', true],
  ['shop', 'shop-2', false],
  ['shop*', 'shop-2', true],
  ['*-db', 'shop-db', true],
  ['job-?', 'job-1', true],
  ['job-?', 'job-12', false],
  ['a.b', 'axb', false],
  ['[ab]', 'a', false],
])('%s and %s: %s', (glob, name, matches) => {
  expect(matchesGlob(glob, name)).toBe(matches)
})

test('without globs everything matches, with some a name is needed', () => {
  expect(matchesAny([], null)).toBe(true)
  expect(matchesAny(['*'], null)).toBe(false)
  expect(matchesAny(['a', 'b*'], 'blog')).toBe(true)
})
