import { createHash } from 'node:crypto'
import type { Account, Caller } from '../core/access/account.ts'
import { isApiToken } from '../core/access/api-token.ts'
import { permissionsOf } from '../core/access/permissions.ts'
import { sessionEnd } from '../core/access/session.ts'
import { unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'

/** What every endpoint needs in order to know its caller, and to record what he does. */
export type AuthenticationPorts = Needs<
  'clock' | 'accessTokens' | 'identities' | 'apiTokens' | 'settings' | 'audit' | 'random'
>

const bearer = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

/**
 * Who a request's `Authorization` header stands for, as the account is now. Throws a `Failure` 401 with one text for
 * whatever is wrong with a credential.
 */
export async function authenticate(
  header: string | undefined,
  ports: AuthenticationPorts,
): Promise<Caller> {
  if (!header) throw unauthenticated('authentication required: send Authorization: Bearer <token>')
  const token = bearer.exec(header)?.[1]
  const caller =
    token && token.length <= 4096
      ? isApiToken(token)
        ? await byApiToken(token, ports)
        : await byAccessToken(token, ports)
      : undefined
  if (!caller) throw unauthenticated('the credential is invalid, expired or revoked')
  return caller
}

async function byAccessToken(token: string, ports: AuthenticationPorts) {
  const claims = await ports.accessTokens.verify(token)
  if (!claims || claims.expiresAt <= ports.clock.now()) return undefined
  const found = await ports.identities.bySession(claims.sessionId)
  if (!found || found.account.id !== claims.accountId || !usable(found.account)) return undefined
  const { account, session } = found
  const over = sessionEnd(session, account, await ports.settings.get(), 'access')
  if (over <= ports.clock.now()) return undefined
  return caller(account, account.scopeTags, {
    kind: 'session',
    sessionId: session.id,
    tokenId: claims.tokenId,
    expiresAt: claims.expiresAt,
  })
}

async function byApiToken(token: string, ports: AuthenticationPorts) {
  const hash = createHash('sha256').update(token).digest('hex')
  const found = await ports.identities.byApiToken(hash)
  if (!found || !usable(found.account)) return undefined
  const { account, apiToken } = found
  const now = ports.clock.now()
  if (apiToken.expiresAt !== null && apiToken.expiresAt <= now) return undefined
  void ports.apiTokens.touch(apiToken.id, now).catch(() => {})
  return caller(account, narrowed(account.scopeTags, apiToken.scopeTags), {
    kind: 'api_token',
    tokenId: apiToken.id,
    expiresAt: apiToken.expiresAt,
  })
}

const usable = (account: Account) => !account.disabled

function caller(account: Account, scopeTags: readonly string[], credential: Caller['credential']) {
  return { account, scopeTags, credential, permissions: permissionsOf(account.role) }
}

/** A token's own tags limit it further, and never reach past what its account reaches now. */
function narrowed(account: readonly string[], token: readonly string[]): readonly string[] {
  if (token.length === 0) return account
  if (account.length === 0) return token
  const both = token.filter((tag) => account.includes(tag))
  return both.length > 0 ? both : nowhere
}

/** No host can carry this tag: tags are `[a-z0-9][a-z0-9-]*`. */
const nowhere = ['']
