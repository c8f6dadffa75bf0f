import { isAhead } from '../clock-skew.ts'
import type { SettingValues } from '../settings.ts'
import type { AttemptState } from './ports.ts'

/** How many verified failures lock an account, and for how long. Milliseconds. */
export interface LockoutLimits {
  failuresMax: number
  lockTime: number
}

/** An attempt is let in under a reservation, must wait for the verdict of others, or is refused unverified. */
export type Admission =
  | { kind: 'admitted'; next: AttemptState }
  | { kind: 'full' }
  | { kind: 'locked'; until: number }

/** What an attempt came to. `released`: nothing was verified, so nothing is counted. */
export type Verdict = 'right' | 'wrong' | 'released'

/** A reservation whose process never came back is void after this. Milliseconds. */
export const reservationTime = 30_000

/** The limits as they are configured, at least one attempt and no lock shorter than nothing. */
export function lockoutLimits(settings: SettingValues): LockoutLimits {
  return {
    failuresMax: Math.max(1, Math.floor(settings['auth.lockout_max_attempts'])),
    lockTime: Math.max(0, settings['auth.lockout_duration_minutes'] * 60_000),
  }
}

/**
 * The end of the lock that is in force, or null. One that is further away than a lock lasts was set
 * by a clock that was ahead, or before locks were made shorter, and is over.
 */
export function lockedUntil(
  { lockedUntil: until }: AttemptState,
  now: number,
  { lockTime }: Pick<LockoutLimits, 'lockTime'>,
): number | null {
  return until !== null && until > now && !isAhead(until - lockTime, now) ? until : null
}

/**
 * Whether an attempt may be verified now. Reservations and failures together never pass the limit, so however many come
 * at once, no more than the limit are verified before the account is locked.
 */
export function admit(state: AttemptState, now: number, limits: LockoutLimits): Admission {
  const until = lockedUntil(state, now, limits)
  if (until !== null) return { kind: 'locked', until }
  const current = live(state, now, limits)
  // A limit that was lowered below what was counted still leaves one attempt, whose failure locks.
  const failed = Math.min(current.failed, limits.failuresMax - 1)
  if (failed + current.pending.length >= limits.failuresMax) return { kind: 'full' }
  return { kind: 'admitted', next: { ...current, pending: [...current.pending, now] } }
}

/** The state after the verdict on the attempt admitted at that instant; nothing when its reservation is void by now. */
export function settle(
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

/** How long a state must be kept: a day after the last attempt, and as long as the lock. */
export function keepUntil(state: AttemptState, now: number): number {
  return Math.max(now + 86_400_000, state.lockedUntil ?? 0)
}

/** The state without what time has ended: void reservations, and a lock with the failures that led to it. */
function live(state: AttemptState, now: number, limits: LockoutLimits): AttemptState {
  const pending = state.pending.filter((at) => Math.abs(now - at) < reservationTime)
  const over = state.lockedUntil !== null && lockedUntil(state, now, limits) === null
  return over ? { failed: 0, pending, lockedUntil: null } : { ...state, pending }
}
