import { createHash, timingSafeEqual } from 'node:crypto'

/** Milliseconds within which a user must sign in at the provider. */
export const signInLifetime = 10 * 60_000
/** Milliseconds within which the client must exchange the login code. */
export const codeLifetime = 60_000

const sha256 = (text: string) => createHash('sha256').update(text)

/** Returns the hash under which a code, or the use of a state, is stored. */
export const hashOf = (text: string): string => sha256(text).digest('hex')

/** Formats 32 random bytes. */
export const makeCode = (random: Uint8Array) => `csc_${base64url(random)}`

/** Encodes random bytes in base64url. */
export const base64url = (random: Uint8Array): string => Buffer.from(random).toString('base64url')

/**
 * Returns true if the challenge was made from the verifier (RFC 7636, section 4.6), or if neither
 * was given.
 */
export function matchesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined)
    return challenge === null && verifier === undefined
  const made = Buffer.from(sha256(verifier).digest('base64url'))
  const given = Buffer.from(challenge)
  return made.length === given.length && timingSafeEqual(made, given)
}
