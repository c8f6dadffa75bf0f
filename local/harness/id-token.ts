import { createHmac, type KeyObject, sign } from 'node:crypto'

export type Claims = Record<string, unknown>

/** The decoded parts of an ID token. */
export interface IdTokenParts {
  header: Claims
  claims: Claims
}

/** Keys that an attacker may sign a forged token with. */
export interface ForgeKeys {
  privateKey: KeyObject
  publicKey: KeyObject
  clientSecret: string
}

/** Builds a token from the parts of another. */
export type Forge = (parts: IdTokenParts, keys: ForgeKeys) => string

/** Decodes the header and claims of a token without verifying it. */
export function idTokenParts(token: string): IdTokenParts {
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  return { header, claims }
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs with RS256, whatever the header says. */
export function signed({ header, claims }: IdTokenParts, key: KeyObject): string {
  const content = `${encoded(header)}.${encoded(claims)}`
  return `${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}`
}

/** Signs with HS256 and this text as the key. */
export function signedWithHmac({ header, claims }: IdTokenParts, key: string): string {
  const content = `${encoded({ ...header, alg: 'HS256' })}.${encoded(claims)}`
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
}

/** Returns a token without a signature. */
export const unsigned = ({ header, claims }: IdTokenParts): string =>
  `${encoded({ ...header, alg: 'none' })}.${encoded(claims)}.`
