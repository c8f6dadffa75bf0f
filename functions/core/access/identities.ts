import type { Needs } from '../ports.ts'
import type { Identities } from './ports.ts'

/** Identities read straight from the stores, nothing remembered. */
export function directIdentities(ports: Needs<'accounts' | 'sessions' | 'apiTokens'>): Identities {
  return {
    async bySession(sessionId) {
      const session = await ports.sessions.find(sessionId)
      const account = session && (await ports.accounts.find(session.accountId))
      return account && { account, session }
    },
    async byApiToken(hash) {
      const apiToken = await ports.apiTokens.findByHash(hash)
      const account = apiToken && (await ports.accounts.find(apiToken.accountId))
      return account && { account, apiToken }
    },
  }
}
