/** An identity provider that people can sign in with: OpenID Connect. */
export interface IdentityProvider {
  /** Part of its callback's address. */
  id: string
  name: string
  /** HTTPS, or plain HTTP to this machine. */
  issuerUrl: string
  clientId: string
  clientSecret: string
  scopes: string[]
  /** The claim that `roleMap` looks at; a dot leads into an object. */
  roleClaim: string | null
  /** Values of the claim → roles. */
  roleMap: Record<string, string>
  /** The role of those whom `roleMap` gives none; null lets them not in. */
  defaultRole: string | null
  createdAt: number
}

/** Whom a provider vouches for. Issuer and subject together are the identity; every other claim is only about it. */
export interface ExternalIdentity {
  issuer: string
  subject: string
  claims: Readonly<Record<string, unknown>>
}

/** What is remembered of a sign-in between its requests: until the provider answers, then until the starter comes for it. */
export type SignInStep =
  | {
      kind: 'asked'
      providerId: string
      nonce: string
      codeVerifier: string
      callbackUrl: string
      redirectUri: string
      /** SHA-256, base64url, of what only the starter knows. */
      challenge: string | null
      /** Refusals are told at the redirect, too. */
      tellsErrors: boolean
    }
  | { kind: 'answered'; providerId: string; accountId: string; challenge: string | null }
