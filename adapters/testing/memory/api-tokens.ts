import type { ApiTokens } from '../../../functions/core/ports/api-tokens.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { ApiToken } from '../../../functions/core/records/account.ts'

/**
 * Returns an in-memory store of API tokens. An expired token is still listed, but no longer found
 * by its hash.
 */
export function memoryApiTokens(clock: Clock): ApiTokens {
  const tokens = new Map<string, ApiToken>()
  const isGood = (token: ApiToken) => token.expiresAt === null || token.expiresAt > clock.now()
  return {
    async find(id) {
      return structuredClone(tokens.get(id))
    },
    async findByHash(hash) {
      return structuredClone(
        [...tokens.values()].find((token) => token.hash === hash && isGood(token)),
      )
    },
    async list(accountId) {
      const listed = [...tokens.values()].filter(
        (token) => accountId === undefined || token.accountId === accountId,
      )
      return structuredClone(listed.sort((a, b) => (a.id < b.id ? -1 : 1)))
    },
    async create(token) {
      tokens.set(token.id, structuredClone(token))
    },
    async recordRights(id, rights) {
      const token = tokens.get(id)
      if (token) token.rights ??= structuredClone(rights)
    },
    async touch(id, usedAt) {
      const token = tokens.get(id)
      if (token && (token.lastUsedAt ?? 0) + 60_000 <= usedAt) token.lastUsedAt = usedAt
    },
    async remove(id) {
      return tokens.delete(id)
    },
  }
}
