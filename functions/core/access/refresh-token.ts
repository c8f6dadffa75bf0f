import { createHash } from 'node:crypto'

/** A refresh token: `csr_`, the id of its session, a point, 256 random bits in base64url. */
const form = /^csr_([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}$/

/** A refresh token as it is presented: whose it claims to be, and what the store knows of it. */
export interface RefreshToken {
  sessionId: string
  /** SHA-256, hex, of the whole token. */
  hash: string
}

/** Makes a token of 32 random bytes. */
export function makeRefreshToken(sessionId: string, random: Uint8Array): string {
  return `csr_${sessionId}.${Buffer.from(random).toString('base64url')}`
}

/** Takes a token apart; nothing for any text that is not one. */
export function readRefreshToken(token: string): RefreshToken | undefined {
  const sessionId = form.exec(token)?.[1]
  if (sessionId === undefined) return undefined
  return { sessionId, hash: createHash('sha256').update(token).digest('hex') }
}

/** The session of a token as an audit row names it. */
export function sessionOf(token: string): { kind: 'sessions'; id: string } | undefined {
  const id = form.exec(token)?.[1]
  return id === undefined ? undefined : { kind: 'sessions', id }
}
