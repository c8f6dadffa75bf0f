import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDuplicateKey } from './json-keys.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "b": {"a":1}, "\\u0061":2}', 'a'],
  ['{"a":[{"b":1,"c":[],"b":2}]}', 'b'],
  ['{"":1,"":2}', ''],
  ['[{"a\\"":1,"a\\"":2}]', 'a"'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a":"\\\\","a":1}', 'a'],
])('%s has one key twice', (text, key) => {
  expect(() => JSON.parse(text)).not.toThrow()
  expect(findDuplicateKey(text)).toBe(key)
})

test.each([
  '{}',
  '"a"',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
  '{"a":"\\",\\"a\\":1","b":"a"}',
  '{"a":["a","a"],"b":"a","c":"b"}',
])('%s has none', (text) => {
  expect(findDuplicateKey(text)).toBeUndefined()
})

test('what JSON.stringify writes has none', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findDuplicateKey(JSON.stringify(JSON.parse(text)))).toBeUndefined()
    }),
  )
})

test('a key that is written twice is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json(), { minKeys: 1 }), fc.nat(), (object, pick) => {
      const entries = Object.entries(object)
      const twice = entries[pick % entries.length]!
      const pairs = [...entries, twice].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
      // Values may hold duplicates of their own, which would be found first.
      fc.pre(entries.every(([, json]) => findDuplicateKey(json) === undefined))
      expect(findDuplicateKey(`{${pairs.join(',')}}`)).toBe(twice[0])
    }),
  )
})

test('a megabyte of nesting, of quotes or of backslashes ends', () => {
  const half = 500_000
  expect(findDuplicateKey('['.repeat(half) + ']'.repeat(half))).toBeUndefined()
  expect(findDuplicateKey(JSON.stringify({ a: '"'.repeat(half) }))).toBeUndefined()
  expect(findDuplicateKey(JSON.stringify({ a: '\\'.repeat(half) }))).toBeUndefined()
})
