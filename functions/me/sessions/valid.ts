import { sessionEnd } from '../../core/access/session.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Account, Session } from '../../core/records/account.ts'

/** Returns the sessions of an account that can still be refreshed. */
export async function validSessions(
  account: Account,
  ports: Needs<'sessions' | 'settings' | 'clock'>,
): Promise<Session[]> {
  const settings = await ports.settings.get()
  const now = ports.clock.now()
  return (await ports.sessions.listByAccount(account.id)).filter(
    (session) => sessionEnd(session, account, settings, { use: 'refresh', now }) > now,
  )
}
