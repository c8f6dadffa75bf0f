import { createHash } from 'node:crypto'
import { isApiToken } from '../core/access/api-token.ts'
import { currentCaller } from '../core/access/caller.ts'
import { invalidCredential, unauthenticated } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { ignoreResult } from '../core/promises.ts'
import type { Caller } from '../core/records/account.ts'

/**
 * Ports that every endpoint needs to authenticate its caller and to record the caller's actions.
 */
export type AuthenticationPorts = Needs<
  | 'clock'
  | 'accessTokens'
  | 'identities'
  | 'apiTokens'
  | 'settings'
  | 'audit'
  | 'random'
  | 'callerLimiter'
  | 'idempotentRequests'
>

const bearer = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i

/**
 * Returns the caller that a request's `Authorization` header identifies, with the account as it is
 * now.
 *
 * @throws 401 with the same message for every kind of invalid credential
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
  if (!caller) throw invalidCredential()
  return caller
}

async function byAccessToken(token: string, ports: AuthenticationPorts) {
  const claims = await ports.accessTokens.verify(token)
  if (!claims || claims.expiresAt <= ports.clock.now()) return undefined
  const { sessionId, tokenId, expiresAt } = claims
  const caller = await currentCaller({ kind: 'session', sessionId, tokenId, expiresAt }, ports)
  return caller?.account.id === claims.accountId ? caller : undefined
}

async function byApiToken(token: string, ports: AuthenticationPorts) {
  const hash = createHash('sha256').update(token).digest('hex')
  const known = { kind: 'api_token', tokenId: '', hash, expiresAt: null } as const
  const caller = await currentCaller(known, ports)
  if (caller) {
    ignoreResult(ports.apiTokens.touch(caller.credential.tokenId, ports.clock.now()))
  }
  return caller
}
