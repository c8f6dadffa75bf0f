import type { ClockRecord } from '../records/retention-state.ts'

const minute = 60_000
const hour = 60 * minute
/**
 * A larger step back than `backMax`, or forward than `gapMax`, is a jump: the clock was wrong or
 * the service was off.
 */
const backMax = 5 * minute
const gapMax = hour
/** Up to this gap, the service was probably only off for a night or a day. */
const usualGap = 36 * hour

/** Beyond this gap, the clock probably lost its battery or was set by hand. */
const longGap = 31 * 24 * hour

/** Returns the milliseconds that the clock must run without a jump before it is trusted again. */
function owedAfter(step: number): number {
  if (step > longGap) return 72 * hour
  return step > usualGap ? 6 * hour : hour
}

/**
 * Returns the record after the clock showed `now`. A clock that jumps ahead makes everything look
 * expired, so nothing is removed until it has run without a jump for
 * - an hour,
 * - six hours after a jump of more than 36 hours,
 * - three days after a jump of more than 31 days.
 *
 * This leaves time to correct a wrong clock. A restart after a pause looks the same and waits the
 * same time.
 */
export function observeClock(record: ClockRecord | undefined, now: number): ClockRecord {
  if (!record) return { at: now, owed: 0 }
  const step = now - record.at
  if (step < -backMax || step > gapMax) {
    return { at: now, owed: Math.max(record.owed, owedAfter(Math.abs(step))) }
  }
  return { at: now, owed: Math.max(0, record.owed - Math.max(0, step)) }
}

/** Returns whether removals may rely on the clock. */
export const isTrusted = ({ owed }: ClockRecord): boolean => owed <= 0
