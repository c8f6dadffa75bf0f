import { createHash } from 'node:crypto'

/**
 * The form of a refresh token: `csr_`, the id of its session, the family secret (128 bits shared by
 * all tokens of the session), and 256 bits of its own.
 *
 * The family secret tells a replayed token (end the session) from a forged one (ignore it). The id
 * of a session alone is not enough to end it.
 */
const form = /^csr_([0-9a-f-]{36})\.([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/

/** A parsed refresh token: the session that it claims, and the hashes that the store knows. */
export interface RefreshToken {
  sessionId: string
  /** The secret that all tokens of the session share. */
  family: string
  /** SHA-256, in hex, of the family secret. */
  familyHash: string
  /** SHA-256, in hex, of the whole token. */
  hash: string
}

/** The number of random bytes in a family secret. */
export const familyBytes = 16

/**
 * Makes a refresh token.
 *
 * @param family the family secret of the session, or 16 random bytes for a new family
 * @param random 32 random bytes
 */
export function makeRefreshToken(
  sessionId: string,
  family: string | Uint8Array,
  random: Uint8Array,
): RefreshToken & { token: string } {
  const shared = typeof family === 'string' ? family : Buffer.from(family).toString('base64url')
  const token = `csr_${sessionId}.${shared}.${Buffer.from(random).toString('base64url')}`
  return { token, sessionId, family: shared, familyHash: sha256(shared), hash: sha256(token) }
}

/** Parses a token. Returns undefined if the text does not have the form of one. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const [, sessionId, family] = form.exec(token) ?? []
  if (sessionId === undefined || family === undefined) return undefined
  return { sessionId, family, familyHash: sha256(family), hash: sha256(token) }
}

/** Returns the session of a token as an audit row refers to it. */
export function sessionOf(token: string): { kind: 'sessions'; id: string } | undefined {
  const id = form.exec(token)?.[1]
  return id === undefined ? undefined : { kind: 'sessions', id }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
