import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { streamedSha256 } from './streamed-sha256.ts'

const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 7 + 3) % 256)

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])('digests %d bytes', (length) => {
  const hash = streamedSha256()
  hash.update(bytes(length))
  expect(hash.hex()).toBe(createHash('sha256').update(bytes(length)).digest('hex'))
})

test('pieces give the same as the whole', () => {
  const hash = streamedSha256()
  const whole = bytes(100_000)
  for (let at = 0; at < 100_000; at += 777) {
    hash.update(whole.subarray(at, Math.min(at + 777, 100_000)))
  }
  expect(hash.hex()).toBe(createHash('sha256').update(whole).digest('hex'))
})
