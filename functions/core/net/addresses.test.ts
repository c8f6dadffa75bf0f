import { expect, test } from 'vitest'
import { haveCommonAddress } from './addresses.ts'

test.each([
  ['', '', true],
  ['', '127.0.0.1', true],
  ['', '::1', true],
  ['0.0.0.0', '127.0.0.1', true],
  ['0.0.0.0', '::', false],
  ['0.0.0.0', '::1', false],
  ['::', '::1', true],
  ['::', '127.0.0.1', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['::1', '0:0:0:0:0:0:0:1', true],
  ['2001:DB8::7', '2001:db8:0::7', true],
  ['::1', '::2', false],
  ['no address', 'no address', true],
])('%j and %j have a common address: %j', (one, other, expected) => {
  expect(haveCommonAddress(one, other)).toBe(expected)
  expect(haveCommonAddress(other, one)).toBe(expected)
})
