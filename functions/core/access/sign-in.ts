import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Session } from '../records/account.ts'
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
 * credentials are no longer valid.
 */
export async function beginSession(
  account: Stored<Account>,
  signIn: SignIn,
  ports: SignInPorts,
): Promise<TokenPair | undefined> {
  const family = ports.random.bytes(familyBytes)
  const token = makeRefreshToken(ports.random.id(), family, ports.random.bytes(32))
  const session = await storeSession(account, signIn, token, ports)
  return session && { access_token: session.accessToken, refresh_token: token.token }
}

/** A session that was begun or refreshed, with an access token of it. */
export interface LiveSession {
  session: Session
  accessToken: string
}

/** The hashes by which the store knows a token and its session. */
export type SessionToken = Pick<RefreshToken, 'sessionId' | 'familyHash' | 'hash'>

/**
 * Stores a session whose first token is given. Returns undefined if the credentials of the account
 * are no longer valid. The session is written before that check, so that a concurrent password
 * change either sees the session or is seen by the check.
 */
export async function storeSession(
  account: Stored<Account>,
  signIn: SignIn,
  { sessionId: id, familyHash, hash }: SessionToken,
  ports: SignInPorts,
): Promise<LiveSession | undefined> {
  const session: Session = {
    id,
    accountId: account.id,
    familyHash,
    currentHash: hash,
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
  return { session, accessToken: await issueAccessToken(session, ports) }
}

/**
 * Exchanges a refresh token for the next pair of tokens. Returns undefined if the token is not
 * valid. A replayed token ends the session (RFC 9700, section 4.14.2); a forged one has no effect.
 */
export async function refreshSession(
  presented: RefreshToken,
  ports: SignInPorts,
): Promise<TokenPair | undefined> {
  const { sessionId, family } = presented
  const next = makeRefreshToken(sessionId, family, ports.random.bytes(32))
  const rotated = await rotateSession(presented, next.hash, ports)
  return rotated && { access_token: rotated.accessToken, refresh_token: next.token }
}

/**
 * Replaces the token of a session in one conditional write. Returns undefined if the presented
 * token is not valid. A token that was replaced ends the session, unless `isRepeat` accepts it.
 *
 * @param isRepeat returns true if the presented token was replaced so recently that its holder may
 *   have lost the response
 */
export async function rotateSession(
  presented: SessionToken,
  nextHash: string,
  ports: SignInPorts,
  isRepeat: (session: Session, now: number) => boolean = () => false,
): Promise<(LiveSession & { account: Account }) | undefined> {
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
  const rotation = isOver
    ? { outcome: 'over' as const }
    : await ports.sessions.rotate(sessionId, hash, nextHash, now)
  const current =
    rotation.outcome === 'rotated'
      ? rotation.session
      : rotation.outcome === 'reused' && (await repeated(sessionId, isRepeat, ports))
  if (current && account) {
    return { session: current, account, accessToken: await issueAccessToken(current, ports) }
  }
  await ports.sessions.remove(sessionId)
  return undefined
}

/** Returns the session as it is now, if a replaced token is still accepted for it. */
async function repeated(
  id: string,
  isRepeat: (session: Session, now: number) => boolean,
  ports: Needs<'sessions' | 'clock'>,
) {
  const session = await ports.sessions.find(id)
  return session && isRepeat(session, ports.clock.now()) ? session : undefined
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
