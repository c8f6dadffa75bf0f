import { createHash, timingSafeEqual } from 'node:crypto'

/** How long a person has to sign in at the provider, and a starter to come for the result. Milliseconds. */
export const askedTime = 10 * 60_000
export const answeredTime = 60_000

const sha256 = (text: string) => createHash('sha256').update(text)

/** What is kept of a text that is good once. */
export const hashOf = (text: string): string => sha256(text).digest('hex')

/** A text of 32 random bytes that names its kind: a state is never taken for a code. */
export const makeState = (random: Uint8Array) => `css_${base64url(random)}`
export const makeCode = (random: Uint8Array) => `csc_${base64url(random)}`

/** 32 random bytes as text. */
export const base64url = (random: Uint8Array): string => Buffer.from(random).toString('base64url')

/** True when the verifier is what the challenge was made of (RFC 7636, section 4.6), or neither was given. */
export function fits(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined)
    return challenge === null && verifier === undefined
  const made = Buffer.from(sha256(verifier).digest('base64url'))
  const given = Buffer.from(challenge)
  return made.length === given.length && timingSafeEqual(made, given)
}
