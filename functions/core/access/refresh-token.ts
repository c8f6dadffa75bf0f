import { createHash } from 'node:crypto'

/**
 * A refresh token: `csr_`, the id of its session, 128 bits that all tokens of the session have, 256 bits of its own. By
 * the middle part one that was replaced is told from one that never was good, and whoever knows the id of a session
 * alone can do nothing to it.
 */
const form = /^csr_([0-9a-f-]{36})\.([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{43}$/

/** A refresh token as it is presented: whose it claims to be, and what the store knows of it. */
export interface RefreshToken {
  sessionId: string
  /** What all tokens of its session have, secret as they are. */
  family: string
  /** SHA-256, hex, of the family. */
  familyHash: string
  /** SHA-256, hex, of the whole token. */
  hash: string
}

/** The bytes of a new family. */
export const familyBytes = 16

/** Makes a token of a family, or of 16 random bytes a new one, and of 32 random bytes of its own. */
export function makeRefreshToken(
  sessionId: string,
  family: string | Uint8Array,
  random: Uint8Array,
): RefreshToken & { token: string } {
  const shared = typeof family === 'string' ? family : Buffer.from(family).toString('base64url')
  const token = `csr_${sessionId}.${shared}.${Buffer.from(random).toString('base64url')}`
  return { token, sessionId, family: shared, familyHash: sha256(shared), hash: sha256(token) }
}

/** Takes a token apart; nothing for any text that is not one. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const [, sessionId, family] = form.exec(token) ?? []
  if (sessionId === undefined || family === undefined) return undefined
  return { sessionId, family, familyHash: sha256(family), hash: sha256(token) }
}

/** The session of a token as an audit row names it. */
export function sessionOf(token: string): { kind: 'sessions'; id: string } | undefined {
  const id = form.exec(token)?.[1]
  return id === undefined ? undefined : { kind: 'sessions', id }
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
