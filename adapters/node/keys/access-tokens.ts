import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import type { AccessClaims, AccessTokens } from '../../../functions/core/ports/access-tokens.ts'
import type { Clock } from '../../../functions/core/ports/clock.ts'
import type { Log } from '../../../functions/core/ports/log.ts'
import { issueTimeCheck } from './issue-time-check.ts'
import type { SigningKeys } from './signing-keys.ts'

const issuer = 'container-stacks'
const audience = 'container-stacks/api'
const type = 'at+jwt'
/** Seconds. */
const lifetimeMax = 900
const cachedMax = 10_000

interface VerifiedToken {
  claims: AccessClaims
  keyId: string
}

/**
 * Returns access tokens as JWT (RFC 9068), signed with Ed25519. Up to 10 000 verified tokens are
 * cached by their text until they expire or their key is removed.
 */
export function jwtAccessTokens(keys: SigningKeys, clock: Clock, log: Log): AccessTokens {
  const cache = new LRUCache<string, VerifiedToken>({ max: cachedMax })
  const checkIssueTime = issueTimeCheck(clock, log)
  return {
    async issue(claims) {
      const key = await keys.current()
      const issuedAt = Math.floor(claims.issuedAt / 1000)
      return new SignJWT({ sid: claims.sessionId })
        .setProtectedHeader({ alg: 'EdDSA', typ: type, kid: key.id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(claims.accountId)
        .setJti(claims.tokenId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(Math.min(Math.floor(claims.expiresAt / 1000), issuedAt + lifetimeMax))
        .sign(key.privateKey)
    },
    async verify(token) {
      const found = cache.get(token) ?? (await verify(token, keys, clock))
      if (!found || found.claims.expiresAt <= clock.now() || !(await keys.find(found.keyId))) {
        cache.delete(token)
        return undefined
      }
      cache.set(token, found)
      // Also for cached tokens: the clock may have been set back since.
      checkIssueTime(found.claims.issuedAt)
      return { ...found.claims }
    },
  }
}

async function verify(token: string, keys: SigningKeys, clock: Clock) {
  if (!isCanonical(token)) return undefined
  let keyId = ''
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const key = typeof kid === 'string' ? await keys.find(kid) : undefined
        if (!key) throw new errors.JWKSNoMatchingKey()
        keyId = key.id
        return key.publicKey
      },
      {
        algorithms: ['EdDSA'],
        typ: type,
        issuer,
        audience,
        requiredClaims: ['sub', 'jti', 'sid', 'iat', 'exp'],
        // No `clockTolerance`: it would extend tokens too. `issueTimeCheck` has a leeway.
        currentDate: new Date(clock.now()),
      },
    )
    const claims = claimsOf(payload)
    return claims && { claims, keyId }
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

function claimsOf({ sub, jti, sid, iat, exp, aud }: JWTPayload): AccessClaims | undefined {
  if (typeof sub !== 'string' || typeof jti !== 'string' || typeof sid !== 'string')
    return undefined
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof aud !== 'string')
    return undefined
  if (exp - iat > lifetimeMax || exp <= iat) return undefined
  return {
    accountId: sub,
    sessionId: sid,
    tokenId: jti,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  }
}

/**
 * Returns whether the token has its only valid encoding: base64url without padding, without unused
 * bits set, and without characters that a decoder ignores.
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 &&
    parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}
