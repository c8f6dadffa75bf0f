import { createHmac, type KeyObject, sign } from 'node:crypto'

export type Claims = Record<string, unknown>

/** An ID token taken apart. */
export interface IdTokenParts {
  header: Claims
  claims: Claims
}

/** The keys that somebody may sign a forged token with. */
export interface ForgeKeys {
  privateKey: KeyObject
  publicKey: KeyObject
  clientSecret: string
}

/** Makes a token of the parts of another. */
export type Forge = (parts: IdTokenParts, keys: ForgeKeys) => string

/** Header and claims of a token; nothing of it is verified. */
export function idTokenParts(token: string): IdTokenParts {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, claims }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signed with RS256, whatever the header says. */
export function signed({ header, claims }: IdTokenParts, key: KeyObject): string {
  const content = `${encoded(header)}.${encoded(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

/** Signed with HS256 and this text as the key. */
export function macked({ header, claims }: IdTokenParts, key: string): string {
  const content = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

/** Not signed at all. */
export const unsigned = ({ header, claims }: IdTokenParts): string =>
  `${encoded({ ...header, alg: 'none' })}.${encoded(claims)}.`
