import { broken, type Failure, unauthenticated } from '../../functions/core/errors.ts'
import type { IdentityProvider } from '../../functions/core/sso/provider.ts'

/** 500: the provider does not answer, or is none. */
export const silent = ({ name }: IdentityProvider, error: unknown): Failure =>
  broken(`${name} does not answer as an identity provider should`, { cause: reasonOf(error) })

/** What is wrong with a sign-in: 500 when the provider could not be asked, 401 for everything else. */
export function refused(provider: IdentityProvider, error: unknown): Failure {
  const cause = reasonOf(error)
  return isUnreachable(error)
    ? silent(provider, error)
    : unauthenticated(`${provider.name} did not confirm the sign-in`, { cause })
}

/** The library's own words and codes. Its errors carry answers of the provider along, tokens included: they stay here. */
function reasonOf(error: unknown): Error {
  const parts: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 3; at = at.cause, depth += 1) {
    const { code, error: said } = at as { code?: unknown; error?: unknown }
    const words = [at.message, code, said, challengeOf(at.cause)]
    parts.push(words.filter((one) => typeof one === 'string').join(' '))
  }
  return new Error(parts.join(': ').slice(0, 500))
}

/** The error code of a WWW-Authenticate header (RFC 6749, section 5.2). */
function challengeOf(cause: unknown): string | undefined {
  const first: unknown = Array.isArray(cause) ? cause[0]?.parameters?.error : undefined
  return typeof first === 'string' && /^[a-z_]{1,64}$/.test(first) ? first : undefined
}

function isUnreachable(error: unknown): boolean {
  const { code, name, message } = error as { code?: string; name?: string; message?: string }
  return code === 'OAUTH_TIMEOUT' || name === 'AbortError' || message === 'fetch failed'
}
