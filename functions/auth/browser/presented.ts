import {
  type BrowserToken,
  isBrowserKey,
  readBrowserToken,
} from '../../core/access/browser-token.ts'
import { unauthenticated } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import type { Session } from '../../core/records/account.ts'
import { sessionCookies } from './page.ts'

/** The token of a request, and the session that it names. */
export interface Presented {
  token: BrowserToken
  session: Session
}

/**
 * Returns the token of a request whose session exists, or undefined if there is none. With several
 * cookies, it is the one that belongs to the key.
 *
 * @throws 401 if the key is missing, or belongs to none of the sessions that the cookies name
 */
export async function presentedToken(
  headers: Readonly<Record<string, string | undefined>>,
  page: URL,
  ports: Needs<'browserSecrets' | 'sessions'>,
): Promise<Presented | undefined> {
  const { 'x-browser-key': key = '' } = headers
  if (!isBrowserKey(key)) throw wrongKey()
  let others = 0
  for (const cookie of sessionCookies(headers, page, ports)) {
    const token = readBrowserToken(cookie, key)
    const session = token && (await ports.sessions.find(token.sessionId))
    if (session && session.familyHash === token.familyHash) return { token, session }
    if (session) others += 1
  }
  if (others > 0) throw wrongKey()
  return undefined
}

const wrongKey = () => unauthenticated('the header X-Browser-Key is missing or wrong')
