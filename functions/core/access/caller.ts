import type { Identity } from '../ports/identities.ts'
import type { Needs } from '../ports/ports.ts'
import { markHandled } from '../promises.ts'
import type { Account, Caller, Credential } from '../records/account.ts'
import { hasEnded } from './end-tokens.ts'
import { permissionsWithin } from './role.ts'
import { sessionEnd } from './session.ts'

/** The ports that looking up a caller needs. */
export type CallerPorts = Needs<'clock' | 'identities' | 'settings'>

/**
 * Returns the caller that a verified credential stands for, with the account's current role and
 * scope (at most one second old). Returns undefined if the session or the token has ended, the
 * token was revoked or has expired, or the account is disabled or deleted.
 *
 * It does not check whether the access token has expired: that is up to the function that verifies
 * the token. Here a session counts until it ends.
 */
export function currentCaller(
  credential: Credential,
  ports: CallerPorts,
): Promise<Caller | undefined> {
  return credential.kind === 'session'
    ? callerOfSession(credential, ports)
    : callerOfApiToken(credential, ports)
}

type CredentialOf<Kind> = Extract<Credential, { kind: Kind }>

async function callerOfSession(credential: CredentialOf<'session'>, ports: CallerPorts) {
  // Started early to save a round trip; not awaited if the session does not exist.
  const settings = markHandled(ports.settings.get())
  const found = await ports.identities.bySession(credential.sessionId)
  if (!found || !usable(found.account)) return undefined
  const { account, session } = found
  const now = ports.clock.now()
  if (sessionEnd(session, account, await settings, { use: 'access', now }) <= now) return undefined
  return caller(found, account.scopeTags, credential)
}

async function callerOfApiToken({ hash }: CredentialOf<'api_token'>, ports: CallerPorts) {
  const found = await ports.identities.byApiToken(hash)
  if (!found || !usable(found.account)) return undefined
  const { account, apiToken } = found
  if (hasEnded(apiToken, account)) return undefined
  const { id: tokenId, expiresAt } = apiToken
  if (expiresAt !== null && expiresAt <= ports.clock.now()) return undefined
  const { rights } = apiToken
  const permissions = permissionsWithin(found.permissions, rights)
  const scopeTags = narrowed(narrowed(account.scopeTags, rights.scopeTags), apiToken.scopeTags)
  const credential = { kind: 'api_token', tokenId, hash, expiresAt } as const
  return caller({ account, permissions }, scopeTags, credential)
}

const usable = (account: Account) => !account.disabled

function caller(
  { account, permissions }: Identity,
  scopeTags: readonly string[],
  credential: Credential,
): Caller {
  return { account, permissions, scopeTags, credential }
}

/** The tags of a token narrow a scope and never widen it. */
function narrowed(account: readonly string[], token: readonly string[]): readonly string[] {
  if (token.length === 0) return account
  if (account.length === 0) return token
  const both = token.filter((tag) => account.includes(tag))
  return both.length > 0 ? both : noHost
}

/** No host can have this tag: tags match `[a-z0-9][a-z0-9-]*`. */
const noHost = ['']
