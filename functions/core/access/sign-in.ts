import type { Stored } from '../collection.ts'
import type { Needs } from '../ports.ts'
import type { Account, Session } from './account.ts'
import { familyBytes, makeRefreshToken, type RefreshToken } from './refresh-token.ts'
import { sessionEnd, sessionExpiry } from './session.ts'

/** Lifetime of an access token. Milliseconds. */
export const accessTokenTime = 900_000

/** The client that signs in, and whether the session is to be remembered. */
export interface SignIn {
  remember: boolean
  ip: string
  userAgent: string
  /** When the credentials were presented, in milliseconds since the epoch. */
  at: number
}

export interface TokenPair {
  access_token: string
  refresh_token: string
}

type SignInPorts = Needs<'accounts' | 'sessions' | 'accessTokens' | 'random' | 'clock' | 'settings'>

/**
 * Starts a session for an account whose credentials were verified. Returns undefined if these
 * credentials are no longer valid. The session is written before that check, so that a concurrent
 * password change either sees the session or is seen by the check.
 */
export async function beginSession(
  account: Stored<Account>,
  signIn: SignIn,
  ports: SignInPorts,
): Promise<TokenPair | undefined> {
  const id = ports.random.id()
  const family = ports.random.bytes(familyBytes)
  const refreshToken = makeRefreshToken(id, family, ports.random.bytes(32))
  const session: Session = {
    id,
    accountId: account.id,
    familyHash: refreshToken.familyHash,
    currentHash: refreshToken.hash,
    generation: 0,
    remember: signIn.remember,
    // The account was read after its sessions were ended, so a clock that is behind must not end
    // this one.
    createdAt: Math.max(signIn.at, account.sessionsValidFrom),
    lastUsedAt: signIn.at,
    expiresAt: sessionExpiry(signIn.at, signIn.remember, await ports.settings.get()),
    ip: signIn.ip,
    userAgent: signIn.userAgent.slice(0, 256),
  }
  await ports.sessions.create(session)
  if (!(await stillHolds(account, signIn.at, ports))) {
    await ports.sessions.remove(id)
    return undefined
  }
  return { access_token: await issueAccessToken(session, ports), refresh_token: refreshToken.token }
}

/**
 * Exchanges a refresh token for the next pair of tokens in one conditional write. Returns undefined
 * if the token is not valid. A replayed token ends the session (RFC 9700, section 4.14.2); a forged
 * one has no effect.
 */
export async function refreshSession(
  presented: RefreshToken,
  ports: SignInPorts,
): Promise<TokenPair | undefined> {
  const { sessionId, hash } = presented
  const session = await ports.sessions.find(sessionId)
  const account = session && (await ports.accounts.find(session.accountId))
  if (session?.familyHash !== presented.familyHash) return undefined
  const now = ports.clock.now()
  const settings = await ports.settings.get()
  const isOver =
    !account ||
    account.disabled ||
    sessionEnd(session, account, settings, { use: 'refresh', now }) <= now
  const next = makeRefreshToken(sessionId, presented.family, ports.random.bytes(32))
  const rotation = isOver
    ? { outcome: 'over' as const }
    : await ports.sessions.rotate(sessionId, hash, next.hash, now)
  if (rotation.outcome === 'rotated') {
    return {
      access_token: await issueAccessToken(rotation.session, ports),
      refresh_token: next.token,
    }
  }
  await ports.sessions.remove(sessionId)
  return undefined
}

function issueAccessToken(
  session: Session,
  ports: Needs<'accessTokens' | 'random' | 'clock'>,
): Promise<string> {
  const now = ports.clock.now()
  return ports.accessTokens.issue({
    accountId: session.accountId,
    sessionId: session.id,
    tokenId: ports.random.id(),
    issuedAt: now,
    expiresAt: now + accessTokenTime,
  })
}

/**
 * Records the login, in a write that succeeds only if the account is unchanged. If it changed,
 * checks whether the credentials are still valid.
 */
async function stillHolds(account: Stored<Account>, at: number, ports: Needs<'accounts'>) {
  if (await ports.accounts.replace({ ...account, lastLoginAt: at })) return true
  const now = await ports.accounts.find(account.id)
  if (!now || now.disabled || now.passwordHash !== account.passwordHash) return false
  if (now.mfaEnabled && !(account.mfaEnabled && now.secondFactorId === account.secondFactorId)) {
    return false
  }
  return now.sessionsValidFrom === account.sessionsValidFrom
}
