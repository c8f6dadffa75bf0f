import type { Identities, Identity } from '../ports/identities.ts'
import type { Needs } from '../ports/ports.ts'
import type { ApiToken, RecordedRights } from '../records/account.ts'
import { permissionsOf, recordedRights } from './role.ts'

/**
 * Records the rights that an account has now as those of its token, which is from a version that
 * did not record any, and returns them. They are recorded before the token is used: whatever the
 * account gains later is not the token's.
 */
async function recordNow(
  { id }: ApiToken,
  { account: { role, scopeTags }, permissions }: Identity,
  { apiTokens }: Needs<'apiTokens'>,
): Promise<RecordedRights> {
  const rights = recordedRights({ role, permissions, scopeTags })
  await apiTokens.recordRights(id, rights)
  return rights
}

/** Returns identities that are read from the stores on each call, without a cache. */
export function directIdentities(
  ports: Needs<'accounts' | 'roles' | 'sessions' | 'apiTokens'>,
): Identities {
  const identity = async (accountId: string): Promise<Identity | undefined> => {
    const account = await ports.accounts.find(accountId)
    return account && { account, permissions: await permissionsOf(account.role, ports) }
  }
  return {
    async bySession(sessionId) {
      const session = await ports.sessions.find(sessionId)
      const found = session && (await identity(session.accountId))
      return found && { ...found, session }
    },
    async byApiToken(hash) {
      const apiToken = await ports.apiTokens.findByHash(hash)
      const found = apiToken && (await identity(apiToken.accountId))
      if (!found) return undefined
      const rights = apiToken.rights ?? (await recordNow(apiToken, found, ports))
      return { ...found, apiToken: { ...apiToken, rights } }
    },
  }
}
