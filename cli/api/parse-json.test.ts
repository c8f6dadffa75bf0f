import { expect, test } from 'vitest'
import { parseIfJson, parseJson } from './parse-json.ts'

test.each<[text: string, value: unknown, either: unknown]>([
  ['{"a":1}', { a: 1 }, { a: 1 }],
  ['null', null, null],
  ['a: 1', undefined, 'a: 1'],
  ['', undefined, ''],
])('%j is %j, or %j if texts that are not JSON stay', (text, value, either) => {
  expect([parseJson(text), parseIfJson(text)]).toEqual([value, either])
})
