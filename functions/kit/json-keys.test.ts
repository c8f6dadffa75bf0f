import { expect, test } from 'vitest'
import { present } from '../../adapters/testing/present.ts'
import fc from '../../local/harness/properties.ts'
import { findInvalidKey, hasTooManyValues, valuesMax } from './json-keys.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "b": {"a":1}, "\\u0061":2}', 'a'],
  ['{"a":[{"b":1,"c":[],"b":2}]}', 'b'],
  ['{"":1,"":2}', ''],
  ['[{"a\\"":1,"a\\"":2}]', 'a"'],
  ['{"a":"\\\\","a":1}', 'a'],
])('%s has a duplicate key', (text, key) => {
  expect(() => JSON.parse(text)).not.toThrow()
  expect(findInvalidKey(text)).toEqual({ key, why: 'twice' })
})

test.each(['{"__proto__":1}', '[{"a":{"\\u005f_proto__":{}}}]'])(
  '%s has a reserved key',
  (text) => {
    expect(findInvalidKey(text)).toEqual({ key: '__proto__', why: 'reserved' })
  },
)

test.each([
  '{}',
  '"a"',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
  '{"a":"\\",\\"a\\":1","b":"a"}',
  '{"a":["a","a"],"b":"a","c":"b"}',
])('%s is accepted', (text) => {
  expect(findInvalidKey(text)).toBeUndefined()
})

test('output of JSON.stringify has no duplicate keys', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findInvalidKey(JSON.stringify(JSON.parse(text)))?.why).not.toBe('twice')
    }),
  )
})

test('finds a duplicate key in any position', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json(), { minKeys: 1 }), fc.nat(), (object, pick) => {
      const entries = Object.entries(object)
      const twice = present(entries[pick % entries.length])
      const pairs = [...entries, twice].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
      fc.pre(!Object.hasOwn(object, '__proto__'))
      // Values may contain duplicate keys of their own, which would be found first.
      fc.pre(entries.every(([, json]) => findInvalidKey(json) === undefined))
      expect(findInvalidKey(`{${pairs.join(',')}}`)).toEqual({ key: twice[0], why: 'twice' })
    }),
  )
})

test('handles a megabyte of nesting, quotes or backslashes', () => {
  const half = 500_000
  expect(findInvalidKey('['.repeat(half) + ']'.repeat(half))).toBeUndefined()
  expect(findInvalidKey(JSON.stringify({ a: '"'.repeat(half) }))).toBeUndefined()
  expect(findInvalidKey(JSON.stringify({ a: '\\'.repeat(half) }))).toBeUndefined()
})

test.each([
  ['nested lists', '['.repeat(valuesMax + 1)],
  ['numbers', `[${'0,'.repeat(valuesMax)}0]`],
  ['empty objects', `[${'{},'.repeat(valuesMax)}{}]`],
  ['keys', `{${Array.from({ length: valuesMax + 1 }, (_, key) => `"${key}":0`).join()}}`],
  ['values before an unterminated string', `[${'0,'.repeat(valuesMax)}"`],
])('too many values: %s', (_name, text) => {
  expect(hasTooManyValues(text)).toBe(true)
})

test.each([
  ['exactly the maximum', `[${'0,'.repeat(valuesMax - 1)}0]`],
  ['commas and brackets in a string', JSON.stringify(',[{'.repeat(valuesMax))],
  ['quotes in a string', JSON.stringify('",'.repeat(valuesMax))],
  ['an unterminated string', `"${','.repeat(valuesMax * 2)}`],
  ['nothing', ''],
])('not too many values: %s', (_name, text) => {
  expect(hasTooManyValues(text)).toBe(false)
})
