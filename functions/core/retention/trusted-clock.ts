/** What is known of the clock by which the sweeps decide. Milliseconds. */
export interface ClockRecord {
  /** The latest time that was seen. */
  at: number
  /** How much longer the clock must run without a jump before anything is removed. */
  owed: number
}

const minute = 60_000
const hour = 60 * minute
/**
 * A step back by more than this, or forward by more than `gapMax`, is a jump: the clock, or the
 * service, was off.
 */
const backMax = 5 * minute
const gapMax = hour
/** A gap up to this is a night or a day without the service. */
const usualGap = 36 * hour

/** A gap beyond this is hardly a service that was off: a clock without its battery, or set by hand. */
const longGap = 31 * 24 * hour

/** How long the clock must run on after a jump before it is believed. */
function owedAfter(step: number): number {
  if (step > longGap) return 72 * hour
  return step > usualGap ? 6 * hour : hour
}

/**
 * Returns the record after the clock showed `now`. A clock that jumps ahead makes everything look
 * expired: nothing is removed until it has run on for an hour, for six hours after a jump of more
 * than a day and a half, or for three days after one of more than a month, so that a wrong time that
 * is corrected does no harm. A restart after a pause looks the same and waits the same time.
 */
export function observeClock(record: ClockRecord | undefined, now: number): ClockRecord {
  if (!record) return { at: now, owed: 0 }
  const step = now - record.at
  if (step < -backMax || step > gapMax) {
    return { at: now, owed: Math.max(record.owed, owedAfter(Math.abs(step))) }
  }
  return { at: now, owed: Math.max(0, record.owed - Math.max(0, step)) }
}

/** Whether what the clock shows may decide what is removed. */
export const isTrusted = ({ owed }: ClockRecord): boolean => owed <= 0
