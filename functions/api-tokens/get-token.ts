import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Account, ApiToken, Caller } from '../core/records/account.ts'

/**
 * Returns a token of the caller or, with the permission users:manage, of any user, and its user.
 * The user is undefined if the account was deleted meanwhile.
 *
 * @throws 404 if there is none
 */
export async function getToken(
  id: string,
  caller: Caller,
  ports: Needs<'apiTokens' | 'accounts'>,
): Promise<{ token: ApiToken; owner: Account | undefined }> {
  const token = await ports.apiTokens.find(id)
  const isOwn = token?.accountId === caller.account.id
  if (!token || (!isOwn && !caller.permissions.has('users:manage'))) throw noSuchToken()
  return { token, owner: isOwn ? caller.account : await ports.accounts.find(token.accountId) }
}

/** 404: the caller sees no such token. */
export const noSuchToken = () => notFound('you have no such API token')
