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

/** The longest lifetime of an access token. Milliseconds. */
export const accessTokenMax = 900_000

/**
 * Returns the lifetime of a new access token, in milliseconds: at most half of the idle timeout, so
 * that a session in use is refreshed before it ends. One of a browser session expires with it, so
 * that its pages say in time that a person uses them.
 */
export function accessTokenTime(session: Session, now: number, settings: SettingValues): number {
  if (session.remember) return accessTokenMax
  const idle = settings['auth.session_idle_minutes'] * minute
  const time = Math.min(accessTokenMax, idle / 2)
  return session.activeAt === undefined ? time : Math.min(time, session.activeAt + idle - now)
}

/** Returns when a session was last used, in milliseconds since the epoch. */
export const lastUseOf = ({ activeAt, lastUsedAt }: Session): number => activeAt ?? lastUsedAt

/**
 * Returns when a session ends: at its absolute end, by the settings at its creation or the current
 * ones, whichever is earlier; or at its idle end, unless the session is remembered. The idle end of
 * sessions other than those of browsers counts for refreshes only: a client that follows a log does
 * not refresh meanwhile.
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
  const isOfBrowser = session.activeAt !== undefined
  if (session.remember || (use === 'access' && !isOfBrowser)) return end
  const idle = lastUseOf(session) + settings['auth.session_idle_minutes'] * minute
  return Math.min(end, idle)
}
