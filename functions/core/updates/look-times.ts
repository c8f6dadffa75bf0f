import type { ClosedRegistry, ImageLook } from '../records/image-look.ts'
import { hourMs } from '../records/retention-state.ts'
import { isAhead } from '../time/clock-skew.ts'

const minute = 60_000

/** The time until a registry is asked again that did not answer. Milliseconds. */
const afterFailure = 30 * minute
/** How long a registry is not asked that has few requests left, or does not say how long. */
const afterLimit = hourMs
/** The longest time for which a registry that takes no requests is not asked. */
const limitMax = 24 * hourMs
/** The longest time from when a tag is first used to the first look. */
const firstMax = 5 * minute
/** The share of its requests that a registry keeps for pulls. */
const keptShare = 0.2

/** How long a tag is remembered that no stack uses. Milliseconds. */
export const unusedMax = 30 * 24 * hourMs

/** Returns when a look at a tag is due that succeeded. `chance` (0 to 1) spreads the looks. */
export const afterSuccess = (now: number, period: number, chance: number): number =>
  Math.round(now + period * (0.9 + 0.2 * chance))

/** Returns when a tag that was never looked at is due. */
export const firstLook = (now: number, chance: number): number =>
  Math.round(now + firstMax * chance)

/** Returns when a look that failed is repeated. */
export const nextTry = (now: number, period: number, chance: number): number =>
  Math.round(now + Math.min(afterFailure, period) * (0.9 + 0.2 * chance))

/**
 * Returns when a registry is asked again that takes no requests.
 *
 * @param seconds what it asked for; undefined if it did not say
 */
export const untilOpen = (now: number, seconds: number | undefined): number =>
  now + (seconds === undefined ? afterLimit : Math.min(Math.max(seconds * 1000, minute), limitMax))

/** Returns whether a registry is not to be asked. A time too far ahead is of a clock that was. */
export const isClosed = ({ until }: ClosedRegistry, now: number): boolean =>
  until > now && !isAhead(until, now + limitMax)

/**
 * Returns whether what a registry said is too old to say that an image is current. Milliseconds.
 */
export const isOld = (checkedAt: number | null, now: number, period: number): boolean =>
  checkedAt === null || Math.abs(now - checkedAt) > 2 * period

/** Returns whether a registry has so few requests left that they are kept for pulls. */
export const isNearlyUsedUp = ({ remaining, limit }: { remaining: number; limit: number }) =>
  remaining < limit * keptShare

/**
 * Returns whether a look is due. One that is more than a period ahead was planned by a clock that
 * was ahead, or for a longer period. A registry that is closed for longer is not asked before.
 */
export const isDue = ({ nextAt }: Pick<ImageLook, 'nextAt'>, now: number, period: number) =>
  nextAt <= now || isAhead(nextAt, now + period * 1.1)

/** Returns the record of a tag that was never looked at. */
export function newLook(name: string, now: number, nextAt: number): ImageLook {
  const never = { seenAt: null, checkedAt: null, askedAt: null }
  return {
    id: name,
    ...never,
    digest: null,
    problem: null,
    compared: {},
    nextAt,
    usedAt: hourOf(now),
  }
}

/** Returns the hour of a time: finer times of use would change the record at each look. */
export const hourOf = (time: number): number => time - (time % hourMs)
