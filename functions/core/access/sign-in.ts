import type { Stored } from '../ports/collection.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, Session } from '../records/account.ts'
import type { SettingValues } from '../records/settings.ts'
import { familyBytes, makeRefreshToken, type RefreshToken } from './refresh-token.ts'
import { accessTokenTime, sessionEnd, sessionExpiry } from './session.ts'

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
  /** Milliseconds for which the access token is valid. */
  validFor: number
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
  client: 'browser' | 'other' = 'other',
): Promise<LiveSession | undefined> {
  const settings = await ports.settings.get()
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
    ...(client === 'browser' && { activeAt: signIn.at }),
    expiresAt: sessionExpiry(signIn.at, signIn.remember, settings),
    ip: signIn.ip,
    userAgent: signIn.userAgent.slice(0, 256),
  }
  await ports.sessions.create(session)
  if (!(await recordLogin(account, signIn.at, ports))) {
    await ports.sessions.remove(id)
    return undefined
  }
  return { session, ...(await issueAccessToken(session, settings, ports)) }
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

/** What is special about a refresh. */
interface Rotation {
  /**
   * Returns true if the presented token was replaced so recently that its holder may have lost the
   * response. By default none was.
   */
  isRepeat?: (session: Session, now: number) => boolean
  /** Returns when a person last used the session. By default the refresh itself is use. */
  activeAt?: (session: Session, now: number) => number
}

/**
 * Replaces the token of a session in one conditional write. Returns undefined if the presented
 * token is not valid. A token that was replaced ends the session, unless `isRepeat` accepts it.
 */
export async function rotateSession(
  presented: SessionToken,
  nextHash: string,
  ports: SignInPorts,
  { isRepeat = () => false, activeAt }: Rotation = {},
): Promise<(LiveSession & { account: Account }) | undefined> {
  const { sessionId, hash } = presented
  const session = await ports.sessions.find(sessionId)
  const account = session && (await ports.accounts.find(session.accountId))
  if (session?.familyHash !== presented.familyHash) return undefined
  const now = ports.clock.now()
  const settings = await ports.settings.get()
  const active = activeAt && { activeAt: activeAt(session, now) }
  const endOf = (one: Session) =>
    account ? sessionEnd(one, account, settings, { use: 'refresh', now }) : 0
  // A use after the idle end does not revive the session.
  const isOver =
    !account ||
    account.disabled ||
    endOf(session) <= (active?.activeAt ?? now) ||
    endOf({ ...session, ...active }) <= now
  const rotation = isOver
    ? { outcome: 'over' as const }
    : await ports.sessions.rotate(sessionId, hash, nextHash, { usedAt: now, ...active })
  const current =
    rotation.outcome === 'rotated'
      ? rotation.session
      : rotation.outcome === 'reused' && (await repeated(sessionId, isRepeat, ports))
  if (current && account) {
    return { session: current, account, ...(await issueAccessToken(current, settings, ports)) }
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

async function issueAccessToken(
  session: Session,
  settings: SettingValues,
  ports: Needs<'accessTokens' | 'random' | 'clock'>,
): Promise<Pick<LiveSession, 'accessToken' | 'validFor'>> {
  const now = ports.clock.now()
  const validFor = accessTokenTime(session, now, settings)
  const accessToken = await ports.accessTokens.issue({
    accountId: session.accountId,
    sessionId: session.id,
    tokenId: ports.random.id(),
    issuedAt: now,
    expiresAt: now + validFor,
  })
  return { accessToken, validFor }
}

/**
 * Records the login, in a write that succeeds only if the account is unchanged. Returns whether the
 * credentials are still valid: if the account changed, by what it is now.
 */
async function recordLogin(account: Stored<Account>, at: number, ports: Needs<'accounts'>) {
  if (await ports.accounts.replace({ ...account, lastLoginAt: at })) return true
  const now = await ports.accounts.find(account.id)
  if (!now || now.disabled || now.passwordHash !== account.passwordHash) return false
  if (now.mfaEnabled && !(account.mfaEnabled && now.secondFactorId === account.secondFactorId)) {
    return false
  }
  return now.sessionsValidFrom === account.sessionsValidFrom
}
