import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findUnfitKey, hasTooManyValues, valuesMax } from './json-keys.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1, "b": {"a":1}, "\\u0061":2}', 'a'],
  ['{"a":[{"b":1,"c":[],"b":2}]}', 'b'],
  ['{"":1,"":2}', ''],
  ['[{"a\\"":1,"a\\"":2}]', 'a"'],
  ['{"a":"\\\\","a":1}', 'a'],
])('%s has one key twice', (text, key) => {
  expect(() => JSON.parse(text)).not.toThrow()
  expect(findUnfitKey(text)).toEqual({ key, why: 'twice' })
})

test.each(['{"__proto__":1}', '[{"a":{"\\u005f_proto__":{}}}]'])(
  '%s has a reserved one',
  (text) => {
    expect(findUnfitKey(text)).toEqual({ key: '__proto__', why: 'reserved' })
  },
)

test.each([
  '{}',
  '"a"',
  '[{"a":1},{"a":2}]',
  '{"a":{"a":{"a":1}}}',
  '{"a":"\\",\\"a\\":1","b":"a"}',
  '{"a":["a","a"],"b":"a","c":"b"}',
])('%s has none', (text) => {
  expect(findUnfitKey(text)).toBeUndefined()
})

test('what JSON.stringify writes has none', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findUnfitKey(JSON.stringify(JSON.parse(text)))?.why).not.toBe('twice')
    }),
  )
})

test('a key that is written twice is found wherever it stands', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.json(), { minKeys: 1 }), fc.nat(), (object, pick) => {
      const entries = Object.entries(object)
      const twice = entries[pick % entries.length]!
      const pairs = [...entries, twice].map(([key, json]) => `${JSON.stringify(key)}:${json}`)
      fc.pre(!Object.hasOwn(object, '__proto__'))
      // Values may contain duplicate keys of their own, which would be found first.
      fc.pre(entries.every(([, json]) => findUnfitKey(json) === undefined))
      expect(findUnfitKey(`{${pairs.join(',')}}`)).toEqual({ key: twice[0], why: 'twice' })
    }),
  )
})

test('a megabyte of nesting, of quotes or of backslashes ends', () => {
  const half = 500_000
  expect(findUnfitKey('['.repeat(half) + ']'.repeat(half))).toBeUndefined()
  expect(findUnfitKey(JSON.stringify({ a: '"'.repeat(half) }))).toBeUndefined()
  expect(findUnfitKey(JSON.stringify({ a: '\\'.repeat(half) }))).toBeUndefined()
})

test.each([
  ['lists in lists', '['.repeat(valuesMax + 1)],
  ['numbers', `[${'0,'.repeat(valuesMax)}0]`],
  ['empty objects', `[${'{},'.repeat(valuesMax)}{}]`],
  ['keys', `{${Array.from({ length: valuesMax + 1 }, (_, key) => `"${key}":0`).join()}}`],
  ['a string that is not ended, after them', `[${'0,'.repeat(valuesMax)}"`],
])('too many %s', (_name, text) => {
  expect(hasTooManyValues(text)).toBe(true)
})

test.each([
  ['as many as may be', `[${'0,'.repeat(valuesMax - 1)}0]`],
  ['commas and brackets in a text', JSON.stringify(',[{'.repeat(valuesMax))],
  ['quotes in a text', JSON.stringify('",'.repeat(valuesMax))],
  ['a text that is not ended', `"${','.repeat(valuesMax * 2)}`],
  ['nothing', ''],
])('not too many: %s', (_name, text) => {
  expect(hasTooManyValues(text)).toBe(false)
})
