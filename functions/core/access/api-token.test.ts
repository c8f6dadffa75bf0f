import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isApiToken, makeApiToken } from './api-token.ts'

test('the checksum of a token detects a changed digit', () => {
  for (let round = 0; round < 50; round += 1) {
    const token = makeApiToken(randomBytes(64))
    expect(token).toMatch(/^cst_[0-9A-Za-z]{42}$/)
    expect(isApiToken(token)).toBe(true)
    const place = 4 + (round % 42)
    const other = token[place] === 'a' ? 'b' : 'a'
    expect(isApiToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
})

test('rejects other formats', () => {
  const token = makeApiToken(randomBytes(64))
  for (const other of ['', token.slice(0, -1), `${token}0`, `${token}\n`, token.toUpperCase()]) {
    expect(isApiToken(other)).toBe(false)
  }
})

test('all digits are equally likely', () => {
  const counts = new Map<string, number>()
  for (let round = 0; round < 2000; round += 1) {
    for (const digit of makeApiToken(randomBytes(64)).slice(4, 40)) {
      counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }
  }
  const expected = (2000 * 36) / 62
  expect(counts.size).toBe(62)
  for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(300)
})

test('refuses to make a token of too few random bytes', () => {
  expect(() => makeApiToken(new Uint8Array(35))).toThrow(RangeError)
  expect(() => makeApiToken(new Uint8Array(64).fill(255))).toThrow(RangeError)
})
