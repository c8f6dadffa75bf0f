/** `cse_`, 256 random bits in base64url, a point, the SHA-256 of the authority's certificate in hex. */
const form = /^cse_[A-Za-z0-9_-]{43}\.([0-9a-f]{64})$/

/**
 * A one-time right to enrol an agent, of 32 random bytes. It carries the fingerprint of the authority, so that the agent
 * can tell the right service from one that only answers at its address.
 */
export function makeEnrolmentToken(random: Uint8Array, fingerprint: string): string {
  return `cse_${Buffer.from(random).toString('base64url')}.${fingerprint}`
}

/** The fingerprint (SHA-256, hex) that a token carries; nothing for a text that is no token. */
export function fingerprintOf(token: string): string | undefined {
  return form.exec(token)?.[1]
}
