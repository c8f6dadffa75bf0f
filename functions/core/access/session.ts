import { isAhead } from '../clock-skew.ts'
import type { SettingValues } from '../settings.ts'
import type { Account, Session } from './account.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The instant after which a new session is over, whatever happens. */
export function sessionExpiry(now: number, remember: boolean, settings: SettingValues): number {
  return remember
    ? now + settings['auth.session_remember_days'] * day
    : now + settings['auth.session_absolute_hours'] * hour
}

/**
 * The instant at which a session ends as things stand: its absolute end, by the settings of then or of now, whichever is
 * earlier; for refreshes also its idle end, which a remembered session does not have; and at once when the account's
 * sessions were ended after it began, or when it was used at a time that has not come yet: a
 * session of a clock that was ahead would last until that time.
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
