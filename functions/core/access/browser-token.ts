import { createHash } from 'node:crypto'
import type { BrowserSecrets } from '../ports/browser-secrets.ts'

/**
 * The two halves of a browser session. The cookie holds `csb_`, the id of the session and 256 bits
 * that change with each refresh. The key is `csk_` and 256 bits that are fixed for the session; it
 * takes the place of the family secret in other refresh tokens.
 *
 * Cookies ignore ports: any container that publishes a port on the machine is sent the cookie. It
 * gets no key, and without the key a cookie neither refreshes nor ends a session.
 */
const cookieForm = /^csb_([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}$/
const keyForm = /^csk_[A-Za-z0-9_-]{43}$/

/** The number of random bytes in a key, and in the changing part of a cookie. */
export const browserBytes = 32

/** The halves of a browser session, and the hashes by which the store knows them. */
export interface BrowserToken {
  sessionId: string
  cookie: string
  key: string
  /** SHA-256, in hex, of the key. */
  familyHash: string
  /** SHA-256, in hex, of the cookie. */
  hash: string
}

/** Returns a key made of 32 random bytes. */
export const makeBrowserKey = (random: Uint8Array): string => `csk_${text(random)}`

/** Returns the token of a session with the key and 32 bytes of its own. */
export function makeBrowserToken(sessionId: string, key: string, own: Uint8Array): BrowserToken {
  return tokenOf(sessionId, `csb_${sessionId}.${text(own)}`, key)
}

/** Parses both halves. Returns undefined if one does not have the right form. */
export function readBrowserToken(cookie: string, key: string): BrowserToken | undefined {
  const sessionId = cookieForm.exec(cookie)?.[1]
  return sessionId !== undefined && isBrowserKey(key) ? tokenOf(sessionId, cookie, key) : undefined
}

/** Returns whether a text has the form of a key. */
export const isBrowserKey = (key: string): boolean => keyForm.test(key)

/**
 * Returns the token that replaces the given one, for each key of the installation, that of the
 * current key first. It is derived and not stored: a repeated refresh gets the same successor.
 */
export function successorsOf(token: BrowserToken, { derive }: BrowserSecrets): BrowserToken[] {
  const { sessionId, cookie, key } = token
  return derive(`${key}\n${cookie}`).map((own) => makeBrowserToken(sessionId, key, own))
}

const tokenOf = (sessionId: string, cookie: string, key: string): BrowserToken => ({
  sessionId,
  cookie,
  key,
  familyHash: sha256(key),
  hash: sha256(cookie),
})

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (value: string) => createHash('sha256').update(value).digest('hex')
