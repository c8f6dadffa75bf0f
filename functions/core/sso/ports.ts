import type { Collection } from '../collection.ts'
import type { ExternalIdentity, IdentityProvider, SignInStep } from './provider.ts'

/** The identity providers that administrators set up, encrypted at rest. */
export type IdentityProviders = Collection<IdentityProvider>

/** What a sign-in at a provider is made of, and remembered of it until the answer comes. */
export interface Challenge {
  state: string
  nonce: string
  /** Of PKCE (RFC 7636): it stays here until the provider's code is redeemed. */
  codeVerifier: string
  /** Where the provider sends the browser back to. */
  callbackUrl: string
}

/** Talks OpenID Connect: the code flow with PKCE, state and nonce (OpenID Connect Core, section 3.1; RFC 9700). */
export interface OpenId {
  /** Where to send the browser. Throws a `Failure` 500 when the provider does not answer as it should. */
  authorizationUrl(provider: IdentityProvider, challenge: Challenge): Promise<string>
  /**
   * Who signed in, by the parameters of the provider's answer. Throws a `Failure` 401 unless answer and ID token are those
   * that the challenge asked for, signed by the provider and for this client; 500 when the provider does not answer.
   */
  redeem(
    provider: IdentityProvider,
    challenge: Challenge,
    answer: Record<string, string>,
  ): Promise<ExternalIdentity>
}

/** Steps of sign-ins under way, by the SHA-256, hex, of the text that leads to each. */
export interface SignInSteps {
  create(hash: string, step: SignInStep, expiresAt: number): Promise<void>
  /** The step, for exactly one of all who ask: it is removed by that. Nothing when it is over. */
  use(hash: string): Promise<SignInStep | undefined>
}
