import type { Identities, Identity } from '../ports/identities.ts'
import type { Needs } from '../ports/ports.ts'
import { permissionsOf } from './role.ts'

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
      return found && { ...found, apiToken }
    },
  }
}
