import type { Account, Session } from '../records/account.ts'
import type { SettingValues } from '../records/settings.ts'
import { isAhead } from '../time/clock-skew.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Returns when a new session ends even if it stays in use. */
export function sessionExpiry(now: number, remember: boolean, settings: SettingValues): number {
  return remember
    ? now + settings['auth.session_remember_days'] * day
    : now + settings['auth.session_absolute_hours'] * hour
}

/**
 * Returns when a session ends: at its absolute end, by the settings at its creation or the current
 * ones, whichever is earlier. For refreshes also at its idle end, unless the session is remembered.
 *
 * Returns 0 if the account's sessions were ended after it was created. Also returns 0 if its last
 * use is ahead of the clock: the session was used under a clock that was ahead, and would otherwise
 * last until that time.
 */
export function sessionEnd(
  session: Session,
  account: Account,
  settings: SettingValues,
  { use, now }: { use: 'access' | 'refresh'; now: number },
): number {
  if (isAhead(session.lastUsedAt, now)) return 0
  const kept = session.id === account.keptSessionId
  if (session.createdAt < account.sessionsValidFrom && !kept) return 0
  const limit = sessionExpiry(session.createdAt, session.remember, settings)
  const end = Math.min(session.expiresAt, limit)
  if (use === 'access' || session.remember) return end
  const idle = session.lastUsedAt + settings['auth.session_idle_minutes'] * minute
  return Math.min(end, idle)
}
