import { hookPause } from '../hooks/hook-record.ts'
import type { LookProblem, Source, SourceLook } from '../records/source.ts'
import { isAhead } from '../time/clock-skew.ts'

const minute = 60_000
/** The longest time from a refusal to the next look, unless the period is longer. */
const refusedMax = 60 * minute
/** The longest time that a source may ask to wait. Milliseconds. */
const waitMax = 24 * 60 * minute
/** The most doublings of a time: more than the longest period has minutes. */
const doublingsMax = 20
/** Problems that pass without a change of the source. No account is refused by another try. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'internal'])

/** How a look ended. */
export type LookOutcome =
  | { revision: string }
  | {
      problem: LookProblem
      /** Seconds that the source asks to wait; undefined if it does not. */
      retryAfter?: number | undefined
    }

/** When a look ended, and the chance (0 to 1) that spreads the next ones. */
export interface LookMoment {
  /** Milliseconds since the epoch. */
  now: number
  chance: number
}

/** Returns what is recorded after a look, with when the next one is due. */
export function afterLook(
  { look, lookEvery }: Pick<Source, 'look' | 'lookEvery'>,
  outcome: LookOutcome,
  { now, chance }: LookMoment,
): SourceLook {
  const asked = { ...look, askedAt: now }
  const spread = (time: number) => Math.round(now + time * (0.9 + 0.2 * chance))
  const every = lookEvery === null ? null : lookEvery * 1000
  if ('revision' in outcome) {
    const nextAt = every === null ? null : spread(every)
    return { ...asked, nextAt, revision: outcome.revision, failures: 0, problem: null }
  }
  const { problem, retryAfter = 0 } = outcome
  const failures = look.failures + 1
  const failed = { ...asked, failures, problem }
  if (every === null) return { ...failed, nextAt: null }
  const next = spread(
    passing.has(problem.reason) ? whileAway(failures, every) : whileRefused(failures, every),
  )
  const asksFor = now + Math.min(retryAfter * 1000, waitMax)
  return { ...failed, nextAt: Math.max(next, asksFor) }
}

/** A server that is back is asked within a period, however long it was away. */
const whileAway = (failures: number, every: number): number =>
  Math.min(doubled(minute, failures - 1), every)

/** A refusal stays until a person changes something, who can also ask at once. */
const whileRefused = (failures: number, every: number): number =>
  Math.max(every, Math.min(doubled(every, failures), refusedMax))

const doubled = (time: number, times: number) => time * 2 ** Math.min(times, doublingsMax)

/**
 * Returns whether a look is due. One that is too far ahead was planned by a clock that was ahead.
 */
export function isLookDue(
  { look, lookEvery }: Pick<Source, 'look' | 'lookEvery'>,
  now: number,
): boolean {
  if (look.nextAt === null || lookEvery === null) return false
  const refused = look.problem !== null && !passing.has(look.problem.reason)
  const every = Math.max(lookEvery * 1000, refused ? refusedMax : 0) * 1.1
  const furthest = Math.max(every, look.problem?.reason === 'limited' ? waitMax : 0)
  return look.nextAt <= now || isAhead(look.nextAt, now + furthest)
}

/** Whether a source may be asked for a user or a hook, whatever is planned. */
export type Asking =
  | { when: 'now' }
  /** It was just asked: after `pause` milliseconds. */
  | { when: 'wait'; pause: number }
  /** Its server takes no requests until the next look that is planned. */
  | { when: 'later' }

/** Returns whether a source may be asked now. A clock that was ahead delays nothing for long. */
export function whenToAsk(source: Pick<Source, 'look' | 'lookEvery'>, now: number): Asking {
  const { askedAt, nextAt, problem } = source.look
  const isLimited = problem?.reason === 'limited' && nextAt !== null
  if (isLimited && !isLookDue(source, now)) return { when: 'later' }
  const since = askedAt === null ? hookPause : Math.abs(now - askedAt)
  return since < hookPause ? { when: 'wait', pause: hookPause - since } : { when: 'now' }
}

/** Returns when a source is looked at next whose `look_every` a user changed. */
export const plannedLook = (lookEvery: number | null, now: number): number | null =>
  lookEvery === null ? null : now
