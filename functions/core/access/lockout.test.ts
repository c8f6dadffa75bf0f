import { expect, test } from 'vitest'
import type { AttemptState } from '../ports/attempts.ts'
import { admit, lockedUntil, reservationTime, withVerdict } from './lockout.ts'

const limits = { failuresMax: 5, lockTime: 900_000 }
const now = 1_000_000
const state = (given: Partial<AttemptState> = {}): AttemptState => ({
  failed: 0,
  pending: [],
  lockedUntil: null,
  ...given,
})

test('failures and reservations together never exceed the limit', () => {
  expect(admit(state({ failed: 2, pending: [now, now] }), now, limits)).toEqual({
    kind: 'admitted',
    next: state({ failed: 2, pending: [now, now, now] }),
  })
  expect(admit(state({ failed: 2, pending: [now, now, now] }), now, limits)).toEqual({
    kind: 'full',
  })
})

test('only the failure that reaches the limit locks the account', () => {
  const almost = withVerdict(state({ failed: 3, pending: [now] }), now, 'wrong', now, limits)
  expect(almost).toEqual(state({ failed: 4 }))
  const last = withVerdict(state({ failed: 4, pending: [now] }), now, 'wrong', now, limits)
  expect(last).toEqual(state({ failed: 5, lockedUntil: now + 900_000 }))
})

test('a locked account rejects attempts until the lock ends, then starts at zero', () => {
  const lock = state({ failed: 5, lockedUntil: now })
  expect(admit(lock, now - 1, limits)).toEqual({ kind: 'locked', until: now })
  expect(lockedUntil(lock, now - 1, limits)).toBe(now)
  expect(lockedUntil(lock, now, limits)).toBe(null)
  expect(admit(lock, now, limits)).toEqual({ kind: 'admitted', next: state({ pending: [now] }) })
})

test('a success resets the failures and keeps the reservations of others', () => {
  const before = state({ failed: 4, pending: [now - 5, now] })
  expect(withVerdict(before, now, 'right', now, limits)).toEqual(state({ pending: [now - 5] }))
})

test('does not count an attempt that was not verified', () => {
  const before = state({ failed: 2, pending: [now] })
  expect(withVerdict(before, now, 'released', now, limits)).toEqual(state({ failed: 2 }))
})

test('the reservation of a dead process expires, and its late verdict is ignored', () => {
  const full = state({ pending: [now, now, now, now, now] })
  const later = now + reservationTime
  expect(admit(full, later - 1, limits)).toEqual({ kind: 'full' })
  expect(admit(full, later, limits)).toEqual({
    kind: 'admitted',
    next: state({ pending: [later] }),
  })
  expect(withVerdict(full, now, 'right', later, limits)).toBeUndefined()
  expect(withVerdict(full, now, 'wrong', later, limits)).toBeUndefined()
})

test('allows one attempt at a time if the limit is lowered below the count; its failure locks', () => {
  const strict = { ...limits, failuresMax: 2 }
  const admission = admit(state({ failed: 4 }), now, strict)
  expect(admission.kind).toBe('admitted')
  if (admission.kind !== 'admitted') return
  expect(admit(admission.next, now, strict)).toEqual({ kind: 'full' })
  expect(withVerdict(admission.next, now, 'wrong', now, strict)?.lockedUntil).toBe(now + 900_000)
})

test('treats a lock that ends too far in the future as over, because a clock was ahead', () => {
  const skew = 300_000
  const until = (ahead: number) => state({ failed: 5, lockedUntil: now + limits.lockTime + ahead })
  expect(lockedUntil(until(skew), now, limits)).toBe(now + limits.lockTime + skew)
  expect(lockedUntil(until(skew + 1), now, limits)).toBe(null)
  const next = state({ pending: [now] })
  expect(admit(until(skew + 1), now, limits)).toEqual({ kind: 'admitted', next })
})
