import { expect, test } from 'vitest'
import { afterLook, isLookDue, plannedLook } from './decide-look.ts'

const minute = 60_000
const hour = 60 * minute
const now = 1_700_000_000_000
const unreachable = { reason: 'unreachable', message: 'no answer' }
const limited = { reason: 'limited', message: 'later' }
const never = { askedAt: null, nextAt: now, revision: null, failures: 0, problem: null }
const source = { look: never, lookEvery: 300 }
const at = { now, chance: 0.5 }

test.each([
  ['after a success the next look is a period later', 300, 0, { revision: 'a' }, 0.5, 5 * minute],
  ['at the least 10 % earlier', 300, 0, { revision: 'a' }, 0, 4.5 * minute],
  ['at the most 10 % later', 300, 0, { revision: 'a' }, 1, 5.5 * minute],
  ['the first failure doubles the period', 300, 0, { problem: unreachable }, 0.5, 10 * minute],
  ['the second one doubles it again', 300, 1, { problem: unreachable }, 0.5, 20 * minute],
  ['up to an hour', 300, 9, { problem: unreachable }, 0.5, hour],
  ['however many there were', 300, 5000, { problem: unreachable }, 0.5, hour],
  ['a longer period stays', 7200, 3, { problem: unreachable }, 0.5, 2 * hour],
  ['what the source asks for', 60, 0, { problem: unreachable, retryAfter: 900 }, 0.5, 15 * minute],
  ['not before the usual time', 300, 0, { problem: unreachable, retryAfter: 1 }, 0.5, 10 * minute],
  ['a day at the most', 60, 0, { problem: unreachable, retryAfter: 1e9 }, 0.5, 24 * hour],
] as const)('%s', (_, lookEvery, failures, outcome, chance, wait) => {
  const look = { ...never, failures }
  expect(afterLook({ look, lookEvery }, outcome, { now, chance }).nextAt).toBe(now + wait)
})

test('a look that fails keeps what was seen before; one that succeeds clears the problem', () => {
  const seen = afterLook(source, { revision: 'a' }, at)
  expect(seen).toMatchObject({ askedAt: now, revision: 'a', failures: 0, problem: null })
  const failed = afterLook({ ...source, look: seen }, { problem: unreachable }, at)
  expect(failed).toMatchObject({ revision: 'a', failures: 1, problem: unreachable })
  const again = afterLook({ ...source, look: failed }, { revision: 'b' }, at)
  expect(again).toMatchObject({ revision: 'b', failures: 0, problem: null })
})

test('without a period no look is planned or due', () => {
  for (const outcome of [{ revision: 'a' }, { problem: unreachable }]) {
    expect(afterLook({ ...source, lookEvery: null }, outcome, at).nextAt).toBeNull()
  }
  expect(isLookDue({ ...source, lookEvery: null }, now)).toBe(false)
  expect([plannedLook(null, now), plannedLook(60, now)]).toEqual([null, now])
})

test.each([
  ['at its time', now, 0, null, true],
  ['not before', now + 1, 0, null, false],
  ['beyond its period: the clock was ahead', now + 20 * hour, 0, null, true],
  ['not within the time after failures', now + hour, 3, unreachable, false],
  ['beyond the time after failures', now + 20 * hour, 3, unreachable, true],
  ['not within a wait that the source asked for', now + 24 * hour, 1, limited, false],
  ['beyond any wait', now + 25 * hour, 1, limited, true],
])('a look is due %s', (_, nextAt, failures, problem, isDue) => {
  expect(isLookDue({ ...source, look: { ...never, nextAt, failures, problem } }, now)).toBe(isDue)
})
