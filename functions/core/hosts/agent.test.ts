import { expect, test } from 'vitest'
import { fingerprintOf, makeEnrolmentToken } from './enrolment-token.ts'
import { reconnectDelay } from './reconnect.ts'
import { certificateLife, renewalTime } from './renewal.ts'

const fingerprint = 'ab'.repeat(32)

test('an enrolment token carries the fingerprint of the authority', () => {
  const token = makeEnrolmentToken(new Uint8Array(32).fill(251), fingerprint)
  expect(fingerprintOf(token)).toBe(fingerprint)
  expect(makeEnrolmentToken(new Uint8Array(32), fingerprint)).not.toBe(token)
})

test.each([
  '',
  'cse_',
  `cse_${'a'.repeat(43)}`,
  `cst_${'a'.repeat(43)}.${fingerprint}`,
  `cse_${'a'.repeat(43)}.${'AB'.repeat(32)}`,
])('rejects as enrolment token: %s', (text) => {
  expect(fingerprintOf(text)).toBeUndefined()
})

test('backs off after each failure, with jitter, for at most 30 s', () => {
  expect([0, 1, 2, 3].map((failures) => reconnectDelay(failures, 1))).toEqual([
    500, 1000, 2000, 4000,
  ])
  expect(reconnectDelay(1000, 1)).toBe(30_000)
  expect(reconnectDelay(1000, 0)).toBe(6_000)
  expect(reconnectDelay(0, 0)).toBe(100)
})

test('renews a certificate at half its lifetime, plus or minus a tenth', () => {
  const at = [0, 0.5, 1].map((random) =>
    (renewalTime(certificateLife, random) / certificateLife).toFixed(2),
  )
  expect(at).toEqual(['0.60', '0.50', '0.40'])
})
