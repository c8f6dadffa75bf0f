import type { LookProblem, Source, SourceLook } from '../records/source.ts'
import { isAhead } from '../time/clock-skew.ts'

const hour = 3_600_000
/** The longest time from a failure to the next look, unless the source asks for longer ones. */
const failureMax = hour
/** The longest time that a source may ask to wait. */
const waitMax = 24 * hour

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
  const doubled = Math.min(every * 2 ** Math.min(failures, 10), failureMax)
  const next = spread(Math.max(every, doubled))
  const asksFor = now + Math.min(retryAfter * 1000, waitMax)
  return { ...failed, nextAt: Math.max(next, asksFor) }
}

/**
 * Returns whether a look is due. One that is too far ahead was planned by a clock that was ahead.
 */
export function isLookDue(
  { look, lookEvery }: Pick<Source, 'look' | 'lookEvery'>,
  now: number,
): boolean {
  if (look.nextAt === null || lookEvery === null) return false
  const every = Math.max(lookEvery * 1000, look.failures > 0 ? failureMax : 0) * 1.1
  const furthest = Math.max(every, look.problem?.reason === 'limited' ? waitMax : 0)
  return look.nextAt <= now || isAhead(look.nextAt, now + furthest)
}

/** Returns when a source is looked at next whose `look_every` a user changed. */
export const plannedLook = (lookEvery: number | null, now: number): number | null =>
  lookEvery === null ? null : now
