import { type Failure, internalError, unauthenticated } from '../../functions/core/errors.ts'
import type { IdentityProvider } from '../../functions/core/records/identity-provider.ts'

/**
 * Returns the 500 for a provider that does not respond, is not an OpenID provider, or names another
 * issuer than the configured one. Often the two differ only in a trailing slash.
 */
export function providerFailure({ name, issuerUrl }: IdentityProvider, error: unknown): Failure {
  const cause = reasonOf(error)
  const issuer = otherIssuer(error)
  if (issuer === undefined) {
    const text = `${name} does not respond like an identity provider`
    return internalError(text, { reason: 'timeout', cause })
  }
  const text = `${name} names the issuer ${issuer}, but its issuer_url is ${issuerUrl}`
  return internalError(`${text}: an admin has to change it`, { cause })
}

/** Returns the issuer that the provider names if it is a plain URL other than the expected one. */
function otherIssuer(error: unknown): string | undefined {
  const { cause } = error as { cause?: { attribute?: unknown; body?: { issuer?: unknown } } }
  const issuer = cause?.attribute === 'issuer' ? cause.body?.issuer : undefined
  if (typeof issuer !== 'string' || !/^https?:\/\/[!-~]{1,300}$/.test(issuer)) return undefined
  return issuer
}

/** Returns the error for a failed sign-in: 500 if the provider was unreachable, otherwise 401. */
export function signInFailure(provider: IdentityProvider, error: unknown): Failure {
  const cause = reasonOf(error)
  return isUnreachable(error)
    ? providerFailure(provider, error)
    : unauthenticated(`${provider.name} did not confirm the sign-in`, { cause })
}

/**
 * Returns an error with only the library's messages and codes. Its own errors also hold responses
 * of the provider, including tokens, which must not reach the log.
 */
function reasonOf(error: unknown): Error {
  const parts: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 3; at = at.cause, depth += 1) {
    const { code, error: said } = at as { code?: unknown; error?: unknown }
    const words = [at.message, code, said, challengeOf(at.cause)]
    parts.push(words.filter((one) => typeof one === 'string').join(' '))
  }
  return new Error(parts.join(': ').slice(0, 500))
}

/** Returns the error code of a WWW-Authenticate header (RFC 6749, section 5.2). */
function challengeOf(cause: unknown): string | undefined {
  const first: unknown = Array.isArray(cause) ? cause[0]?.parameters?.error : undefined
  return typeof first === 'string' && /^[a-z_]{1,64}$/.test(first) ? first : undefined
}

function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  return code === 'OAUTH_TIMEOUT' || name === 'AbortError' || message === 'fetch failed'
}
