/** An OpenID Connect identity provider that users can sign in with. */
export interface IdentityProvider {
  /** Part of the callback URL. */
  id: string
  name: string
  /** HTTPS, or plain HTTP on this machine. */
  issuerUrl: string
  clientId: string
  clientSecret: string
  scopes: string[]
  /** The claim that `roleMap` applies to. A dot separates the keys of nested objects. */
  roleClaim: string | null
  /** Role by claim value. */
  roleMap: Record<string, string>
  /** The role of users without a match in `roleMap`; with null they are refused. */
  defaultRole: string | null
  createdAt: number
}

/**
 * A user as the provider identifies them. Issuer and subject together are the identity; all other
 * claims are only attributes.
 */
export interface ExternalIdentity {
  issuer: string
  subject: string
  claims: Readonly<Record<string, unknown>>
}

/**
 * A sign-in that was begun, until the provider redirects back. It is not stored: it travels sealed
 * as the `state`, because strangers can begin any number of sign-ins.
 */
export interface AskedSignIn {
  providerId: string
  nonce: string
  codeVerifier: string
  callbackUrl: string
  redirectUri: string
  /** SHA-256 (base64url) of a verifier that only the client knows; null if it sent none. */
  challenge: string | null
  /** Whether errors are reported to `redirectUri` too. */
  tellsErrors: boolean
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** A sign-in that the provider confirmed, stored until the client collects the result. */
export interface AnsweredSignIn {
  /** Records of earlier versions also have the kind `asked`. */
  kind: 'answered'
  providerId: string
  accountId: string
  challenge: string | null
}
