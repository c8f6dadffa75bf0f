/**
 * `cse_`, 256 random bits in base64url, a dot, and the SHA-256 of the authority's certificate in
 * hex.
 */
const form = /^cse_[A-Za-z0-9_-]{43}\.([0-9a-f]{64})$/

/**
 * Returns a one-time token to enrol an agent, from 32 random bytes. It contains the fingerprint of
 * the authority, so that the agent can tell the service from an impostor at the same address.
 */
export function makeEnrolmentToken(random: Uint8Array, fingerprint: string): string {
  return `cse_${Buffer.from(random).toString('base64url')}.${fingerprint}`
}

/** Returns the fingerprint (SHA-256, hex) in a token, or undefined if the text is not a token. */
export function fingerprintOf(token: string): string | undefined {
  return form.exec(token)?.[1]
}
