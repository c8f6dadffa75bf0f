import { generateSync, stringToBytes } from 'otplib'
import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import {
  afterCode,
  makeRecoveryCodes,
  makeSeed,
  otpauthUrl,
  recoveryBytes,
  recoveryHash,
} from './totp.ts'

/** The seed of the examples in RFC 6238, appendix B. */
const seed = makeSeed(stringToBytes('12345678901234567890'))
const factor = {
  id: 'f',
  accountId: 'a',
  secret: seed,
  lastStep: 0,
  recoveryHashes: [recoveryHash('ABCDEFGHIJKLMNOPQRST')],
  createdAt: 0,
}

test('encodes a seed in base32', () => {
  expect(seed).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
})

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at second %i accepts the code of RFC 6238', (second, code) => {
  expect(afterCode(factor, code, second * 1000)?.lastStep).toBe(Math.floor(second / 30))
})

test('a code is valid during its 30 s and the next 30 s', () => {
  const code = generateSync({ secret: seed, epoch: 3000 })
  const taken = (second: number) => afterCode(factor, code, second * 1000) !== undefined
  expect([2999, 3000, 3059, 3060].map(taken)).toEqual([false, true, true, false])
})

test('rejects malformed codes without throwing', () => {
  const texts = [
    '',
    ' ',
    '1234567',
    '12345a',
    '\u0000',
    '٣٤٥٦٧٨',
    '🔑🔑🔑',
    'A'.repeat(64),
    '1 2 3 4',
  ]
  for (const lastStep of [0, 100, 10 ** 9]) {
    for (const text of texts) {
      expect(afterCode({ ...factor, lastStep }, text, 3_000_000)).toBeUndefined()
    }
  }
})

test('accepts a recovery code in lower case, once', () => {
  const after = afterCode(factor, 'abcde-fghij-klmno-pqrst', 0)
  expect(after).toEqual({ ...factor, recoveryHashes: [] })
  expect(afterCode(present(after), 'ABCDEFGHIJKLMNOPQRST', 0)).toBeUndefined()
})

test('makes ten different recovery codes of 100 bits', () => {
  const codes = makeRecoveryCodes(Uint8Array.from({ length: recoveryBytes }, (_, at) => at * 7))
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{20}$/)
})

test('the otpauth URL decodes to the original name', () => {
  for (const name of ['anna', 'a b+c@d.e', 'Ärger: 100 %', 'x&secret=AAAA']) {
    const url = new URL(otpauthUrl(name, seed))
    expect(decodeURIComponent(url.pathname)).toBe(`/Container Stacks:${name}`)
    expect(url.searchParams.getAll('secret')).toEqual([seed])
  }
})

test('accepts current codes after one was used more than an hour ahead, each once', () => {
  const code = generateSync({ secret: seed, epoch: 3_000_000 })
  const after = (lastStep: number) => afterCode({ ...factor, lastStep }, code, 3_000_000_000)
  expect(after(100_000 + 121)?.lastStep).toBe(100_000)
  expect(after(100_000 + 120)).toBeUndefined()
  expect(after(100_000)).toBeUndefined()
})
