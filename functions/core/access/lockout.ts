import type { AttemptState } from '../ports/attempts.ts'
import type { SettingValues } from '../records/settings.ts'
import { isAhead } from '../time/clock-skew.ts'

/** How many failures lock an account, and for how long (milliseconds). */
export interface LockoutLimits {
  failuresMax: number
  lockTime: number
}

/**
 * An attempt is admitted with a reservation, must wait until others have ended, or is refused
 * because of a lock.
 */
export type Admission =
  | { kind: 'admitted'; next: AttemptState }
  | { kind: 'full' }
  | { kind: 'locked'; until: number }

/** The outcome of an attempt. `released`: nothing was verified, so nothing is counted. */
export type Verdict = 'right' | 'wrong' | 'released'

/** A reservation expires after this time, in case its process died. Milliseconds. */
export const reservationTime = 30_000

/** Returns the configured limits: at least one attempt, and no negative lock time. */
export function lockoutLimits(settings: SettingValues): LockoutLimits {
  return {
    failuresMax: Math.max(1, Math.floor(settings['auth.lockout_max_attempts'])),
    lockTime: Math.max(0, settings['auth.lockout_duration_minutes'] * 60_000),
  }
}

/**
 * Returns when the active lock ends, or null. A lock that ends later than a full lock time from now
 * was set by a clock that was ahead, or before the lock time was reduced; it does not count.
 */
export function lockedUntil(
  { lockedUntil: until }: AttemptState,
  now: number,
  { lockTime }: Pick<LockoutLimits, 'lockTime'>,
): number | null {
  return until !== null && until > now && !isAhead(until - lockTime, now) ? until : null
}

/**
 * Decides whether an attempt may be verified now. Reservations and failures together never exceed
 * the limit, so concurrent attempts cannot pass more guesses than the limit before the account is
 * locked.
 */
export function admit(state: AttemptState, now: number, limits: LockoutLimits): Admission {
  const until = lockedUntil(state, now, limits)
  if (until !== null) return { kind: 'locked', until }
  const current = live(state, now, limits)
  // If the limit was lowered below the number of counted failures, one attempt stays possible; its
  // failure locks the account.
  const failed = Math.min(current.failed, limits.failuresMax - 1)
  if (failed + current.pending.length >= limits.failuresMax) return { kind: 'full' }
  return { kind: 'admitted', next: { ...current, pending: [...current.pending, now] } }
}

/**
 * Returns the state after the verdict on the attempt that was admitted at `admittedAt`, or
 * undefined if its reservation has expired.
 */
export function withVerdict(
  state: AttemptState,
  admittedAt: number,
  verdict: Verdict,
  now: number,
  limits: LockoutLimits,
): AttemptState | undefined {
  const current = live(state, now, limits)
  const place = current.pending.indexOf(admittedAt)
  if (place < 0) return undefined
  const pending = current.pending.toSpliced(place, 1)
  if (verdict === 'released') return { ...current, pending }
  if (verdict === 'right') return { failed: 0, pending, lockedUntil: null }
  const failed = current.failed + 1
  const lock = failed >= limits.failuresMax ? now + limits.lockTime : null
  return { failed, pending, lockedUntil: lock }
}

/**
 * Returns until when to keep a state: a day after the last attempt, and at least as long as the
 * lock.
 */
export function retainUntil(state: AttemptState, now: number): number {
  return Math.max(now + 86_400_000, state.lockedUntil ?? 0)
}

/**
 * Returns the state without expired reservations, and without an expired lock and the failures that
 * led to it.
 */
function live(state: AttemptState, now: number, limits: LockoutLimits): AttemptState {
  const pending = state.pending.filter((at) => Math.abs(now - at) < reservationTime)
  const over = state.lockedUntil !== null && lockedUntil(state, now, limits) === null
  return over ? { failed: 0, pending, lockedUntil: null } : { ...state, pending }
}
