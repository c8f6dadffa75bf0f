import { expect, test } from 'vitest'
import { fromBase64url, toBase64url } from './base64url.ts'

test.each([
  [[], ''],
  [[0], 'AA'],
  [[255, 254], '__4'],
  [[251, 239, 190], '----'],
  [[1, 2, 3, 4], 'AQIDBA'],
])('%j is %s', (bytes, text) => {
  expect(toBase64url(Uint8Array.from(bytes))).toBe(text)
  expect([...fromBase64url(text)]).toEqual(bytes)
})
