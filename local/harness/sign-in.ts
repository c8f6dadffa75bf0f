import type { Stored } from '../../functions/core/ports/collection.ts'
import type { Needs } from '../../functions/core/ports/ports.ts'
import type { Account } from '../../functions/core/records/account.ts'
import { normalName } from '../../functions/core/records/normal-name.ts'

/** Ports that are needed to sign in without a password. */
export type SignInPorts = Needs<'clock' | 'random' | 'accounts' | 'sessions' | 'accessTokens'>

/** The caller: a built-in role, an account to create or to find by user name, or a token. */
export type TestCaller = 'admin' | 'operator' | 'viewer' | Partial<Account> | { token: string }

const day = 86_400_000

/**
 * Returns the account with this user name. Creates it if it does not exist. A role without a user
 * name is also the user name.
 */
export async function accountOf(
  ports: SignInPorts,
  as: string | Partial<Account>,
): Promise<Stored<Account>> {
  const wanted: Partial<Account> = typeof as === 'string' ? { role: as } : as
  const username = wanted.username ?? wanted.role ?? 'viewer'
  const found = await ports.accounts.findByUsername(normalName(username))
  if (found) return found
  const account: Account = {
    id: ports.random.id(),
    username,
    email: null,
    role: 'viewer',
    scopeTags: [],
    passwordHash: '',
    disabled: false,
    mfaEnabled: false,
    createdAt: ports.clock.now(),
    lastLoginAt: null,
    sessionsValidFrom: 0,
    ...wanted,
  }
  // One of several concurrent calls creates it, the others find it.
  await ports.accounts.create(account)
  const made = await ports.accounts.findByUsername(normalName(username))
  if (!made) throw new Error(`cannot make account ${username}`)
  return made
}

/** Returns a valid access token of a new session. */
export async function signIn(ports: SignInPorts, as: TestCaller): Promise<string> {
  if (typeof as === 'object' && 'token' in as) return as.token
  const account = await accountOf(ports, as)
  const now = ports.clock.now()
  const session = {
    id: ports.random.id(),
    accountId: account.id,
    familyHash: '',
    currentHash: '',
    generation: 0,
    remember: false,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: now + day,
    ip: '127.0.0.1',
    userAgent: 'test',
  }
  await ports.sessions.create(session)
  return ports.accessTokens.issue({
    accountId: account.id,
    sessionId: session.id,
    tokenId: ports.random.id(),
    issuedAt: now,
    expiresAt: now + 900_000,
  })
}
