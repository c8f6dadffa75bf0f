import type { ExternalIdentity, IdentityProvider } from '../records/identity-provider.ts'

/** The secrets of one sign-in, stored until the provider redirects back. */
export interface Challenge {
  state: string
  nonce: string
  /**
   * The PKCE verifier (RFC 7636). It stays in the service until the provider's code is redeemed.
   */
  codeVerifier: string
  /** The URL that the provider redirects the browser to. */
  callbackUrl: string
}

/**
 * An OpenID Connect client: the code flow with PKCE, state and nonce (OpenID Connect Core, section
 * 3.1; RFC 9700).
 */
export interface OpenId {
  /**
   * Returns the URL to send the browser to.
   *
   * @throws 500 if the provider does not respond as expected
   */
  authorizationUrl(provider: IdentityProvider, challenge: Challenge): Promise<string>
  /**
   * Exchanges the parameters of the provider's redirect for the identity of the user.
   *
   * @throws 401 unless response and ID token match the challenge, are signed by the provider and
   * are issued to this client
   * @throws 500 if the provider does not respond
   */
  redeem(
    provider: IdentityProvider,
    challenge: Challenge,
    answer: Record<string, string>,
  ): Promise<ExternalIdentity>
}
