import { expect, test } from 'vitest'
import { afterLook, isLookDue, plannedLook, whenToAsk } from './decide-look.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = 1_700_000_000_000
const unreachable = { reason: 'unreachable', message: 'no answer' }
const away = { problem: unreachable }
const limited = { reason: 'limited', message: 'later' }
const denied = { reason: 'denied', message: 'no such account' }
const internal = { reason: 'internal', message: 'the service failed' }
const never = { askedAt: null, nextAt: now, revision: null, failures: 0, problem: null }
const source = { look: never, lookEvery: 300 }
const at = { now, chance: 0.5 }

test.each([
  ['after a success the next look is a period later', 300, 0, { revision: 'a' }, 0.5, 5 * minute],
  ['at the least 10 % earlier', 300, 0, { revision: 'a' }, 0, 4.5 * minute],
  ['at the most 10 % later', 300, 0, { revision: 'a' }, 1, 5.5 * minute],
  ['without an answer, the next look is a minute later', 300, 0, away, 0.5, minute],
  ['the second failure doubles that', 300, 1, away, 0.5, 2 * minute],
  ['the third one doubles it again', 300, 2, away, 0.5, 4 * minute],
  ['up to the period', 300, 3, away, 0.5, 5 * minute],
  ['at the most 10 % later than the period', 300, 3, away, 1, 5.5 * minute],
  ['however many there were', 300, 5000, away, 0.5, 5 * minute],
  ['never more often than the shortest period', 60, 0, away, 0.5, minute],
  ['up to a long period', 7200, 7, away, 0.5, 2 * hour],
  ['up to the longest period', 30 * 86_400, 5000, away, 0.5, 30 * day],
  ['a failure of the service too', 300, 0, { problem: internal }, 0.5, minute],
  ['after a refusal, twice the period', 300, 0, { problem: denied }, 0.5, 10 * minute],
  ['the second refusal doubles that', 300, 1, { problem: denied }, 0.5, 20 * minute],
  ['up to an hour', 300, 9, { problem: denied }, 0.5, hour],
  ['a longer period stays', 7200, 3, { problem: denied }, 0.5, 2 * hour],
  ['a limit without a time likewise', 300, 9, { problem: limited }, 0.5, hour],
  ['what the source asks for', 60, 0, { problem: limited, retryAfter: 900 }, 0.5, 15 * minute],
  ['not before the usual time', 300, 0, { problem: limited, retryAfter: 1 }, 0.5, 10 * minute],
  ['a day at the most', 60, 0, { problem: limited, retryAfter: 1e9 }, 0.5, day],
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
  ['not within its period after failures', now + 5.5 * minute, 3, unreachable, false],
  ['beyond its period after failures', now + hour, 3, unreachable, true],
  ['not within the time after refusals', now + hour, 3, denied, false],
  ['beyond the time after refusals', now + 2 * hour, 3, denied, true],
  ['not within a wait that the source asked for', now + 24 * hour, 1, limited, false],
  ['beyond any wait', now + 25 * hour, 1, limited, true],
])('a look is due %s', (_, nextAt, failures, problem, isDue) => {
  expect(isLookDue({ ...source, look: { ...never, nextAt, failures, problem } }, now)).toBe(isDue)
})

const second = 1000
const ready = { when: 'now' }
const later = { when: 'later' }

test.each([
  ['before its first look', null, now, null, ready],
  ['just after a look', now - 2 * second, now + minute, null, { when: 'wait', pause: 3 * second }],
  ['right after a look', now, now + minute, null, { when: 'wait', pause: 5 * second }],
  ['after the pause', now - 5 * second, now + minute, null, ready],
  ['of a clock that was a little ahead', now + second, null, null, { when: 'wait', pause: 4000 }],
  ['of a clock that was far ahead', now + minute, now + hour, null, ready],
  ['after a failure', now - minute, now + minute, unreachable, ready],
  ['while its server takes no requests', now - minute, now + hour, limited, later],
  ['just after it said so', now, now + hour, limited, later],
  ['once its server takes requests', now - hour, now, limited, ready],
  ['beyond any wait', now - hour, now + 25 * hour, limited, ready],
  ['without a planned look', now - minute, null, limited, ready],
])('when a source is asked for a user or a hook: %s', (_, askedAt, nextAt, problem, asking) => {
  const look = { ...never, askedAt, nextAt, problem }
  expect(whenToAsk({ ...source, look }, now)).toEqual(asking)
})
