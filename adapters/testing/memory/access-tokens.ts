import type { AccessClaims, AccessTokens } from '../../../functions/core/ports/access-tokens.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'

/** Returns an in-memory store of access tokens. They are opaque: the claims are looked up. */
export function memoryAccessTokens(clock: Clock): AccessTokens {
  const issued = new Map<string, AccessClaims>()
  return {
    async issue(claims) {
      const token = `access.${claims.tokenId}.${issued.size}`
      issued.set(token, structuredClone(claims))
      return token
    },
    async verify(token) {
      const claims = issued.get(token)
      return claims && claims.expiresAt > clock.now() ? structuredClone(claims) : undefined
    },
  }
}
