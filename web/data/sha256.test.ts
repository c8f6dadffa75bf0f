import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('is the SHA-256 of Node for every length around the borders of a block', () => {
  for (const length of [0, 1, 43, 54, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000]) {
    const bytes = randomBytes(length)
    const expected = createHash('sha256').update(bytes).digest('hex')
    expect(Buffer.from(sha256(bytes)).toString('hex'), `${length} bytes`).toBe(expected)
  }
})
