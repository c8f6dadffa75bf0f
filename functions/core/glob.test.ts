import { expect, test } from 'vitest'
import fc from '../../local/harness/properties.ts'
import { matchesAny, matchesGlob } from './glob.ts'

test.each([
  ['*', '', true],
  ['*', 'anything', true],
  ['shop-*', 'shop-web-1', true],
  ['shop-*', 'shop', false],
  ['*-web-*', 'shop-web-1', true],
  ['*-web-*', 'shop-web', false],
  ['web-?', 'web-1', true],
  ['web-?', 'web-12', false],
  ['a.c', 'abc', false],
  ['a*a*b', 'aaaab', true],
  ['', '', true],
  ['', 'a', false],
  ['Web', 'web', false],
])('%j against %j: %j', (glob, name, wanted) => {
  expect(matchesGlob(glob, name)).toBe(wanted)
})

test('a glob matches the same names as the equivalent regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 })
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 })
  fc.assert(
    fc.property(text, name, (glob, one) => {
      const pattern = glob.replaceAll('*', '.*').replaceAll('?', '.')
      expect(matchesGlob(glob, one)).toBe(new RegExp(`^${pattern}$`).test(one))
    }),
  )
})

test('a glob of many stars gets an answer', () => {
  expect(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(10_000))).toBe(false)
})

test('an undefined list matches everything, an empty list nothing, and any name may match', () => {
  expect(matchesAny(undefined, null)).toBe(true)
  expect(matchesAny([], 'a')).toBe(false)
  expect(matchesAny(['b', 'c'], 'a', 'c')).toBe(true)
  expect(matchesAny(['*'], null)).toBe(false)
})
