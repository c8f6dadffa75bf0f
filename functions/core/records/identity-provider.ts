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
 * The stored state of a sign-in between its requests: first until the provider redirects back, then
 * until the client collects the result.
 */
export type SignInStep =
  | {
      kind: 'asked'
      providerId: string
      nonce: string
      codeVerifier: string
      callbackUrl: string
      redirectUri: string
      /** SHA-256 (base64url) of a verifier that only the client knows; null if it sent none. */
      challenge: string | null
      /** Whether errors are reported to `redirectUri` too. */
      tellsErrors: boolean
    }
  | { kind: 'answered'; providerId: string; accountId: string; challenge: string | null }
