import { must } from '../../compose/must.ts'
import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Session } from '../records/account.ts'
import {
  type BrowserToken,
  browserBytes,
  makeBrowserKey,
  makeBrowserToken,
  successorsOf,
} from './browser-token.ts'
import { lastUseOf } from './session.ts'
import { type LiveSession, rotateSession, type SignIn, storeSession } from './sign-in.ts'

/** The ports that the sessions of browsers need. */
export type BrowserPorts = Needs<
  'accounts' | 'sessions' | 'accessTokens' | 'browserSecrets' | 'settings' | 'random' | 'clock'
>

/** A browser session that was begun or refreshed, with its current token. */
export interface BrowserSession extends LiveSession {
  token: BrowserToken
}

/**
 * Milliseconds for which the token before the current one is accepted again: another tab may have
 * used it at the same moment, or the response was lost.
 */
const repeatTime = 10_000

/**
 * Starts a browser session for an account whose credentials were verified. Returns undefined if
 * these credentials are no longer valid.
 */
export async function beginBrowserSession(
  account: Stored<Account>,
  signIn: SignIn,
  ports: BrowserPorts,
): Promise<BrowserSession | undefined> {
  const key = makeBrowserKey(ports.random.bytes(browserBytes))
  const token = makeBrowserToken(ports.random.id(), key, ports.random.bytes(browserBytes))
  const session = await storeSession(account, signIn, token, ports, 'browser')
  return session && { ...session, token }
}

/**
 * Replaces the token of a browser session. Returns undefined if the token is not valid. A wrong key
 * has no effect. The right key with a replaced cookie ends the session, except that the token
 * before the current one gets the same successor again for 10 s. This alone is no use of the
 * session: pages refresh it by timers.
 *
 * @param idle milliseconds since a person last used a page of the session
 */
export async function refreshBrowserSession(
  presented: BrowserToken,
  idle: number,
  ports: BrowserPorts,
): Promise<(BrowserSession & { account: Account }) | undefined> {
  const successors = successorsOf(presented, ports.browserSecrets)
  // Another process may have used a key that was replaced meanwhile.
  const currentOf = (session: Session) =>
    successors.find(({ hash }) => hash === session.currentHash)
  const rotated = await rotateSession(
    presented,
    must(successors[0], 'a key of the installation').hash,
    ports,
    {
      isRepeat: (session, now) =>
        currentOf(session) !== undefined && now - session.lastUsedAt <= repeatTime,
      activeAt: (session, now) => Math.max(lastUseOf(session), now - idle),
    },
  )
  const token = rotated && currentOf(rotated.session)
  return token && { ...rotated, token }
}
