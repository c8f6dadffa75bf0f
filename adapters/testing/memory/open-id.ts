import { createHash } from 'node:crypto'
import { type Failure, unauthenticated } from '../../../functions/core/errors.ts'
import type { OpenId } from '../../../functions/core/ports/open-id.ts'

/** A user of a provider in memory. */
export interface ProviderUser {
  sub: string
  [claim: string]: unknown
}

interface Grant {
  clientId: string
  nonce: string
  challenge: string
  callbackUrl: string
  person: ProviderUser
}

/** Identity providers in memory, one for every issuer. */
export interface MemoryOpenId extends OpenId {
  /**
   * Approves the sign-in as `person`. Returns the parameters of the redirect to the callback URL.
   */
  approve(authorizationUrl: string, person: ProviderUser): Record<string, string>
  /** While this is set, every provider fails with it. */
  failure: Failure | undefined
}

const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** Returns providers that follow the protocol without its cryptography. */
export function memoryOpenId(): MemoryOpenId {
  const grants = new Map<string, Grant>()
  const openId: MemoryOpenId = {
    failure: undefined,
    async authorizationUrl({ issuerUrl, clientId }, { state, nonce, codeVerifier, callbackUrl }) {
      if (openId.failure) throw openId.failure
      const challenge = challengeOf(codeVerifier)
      const given = { client_id: clientId, state, nonce, code_challenge: challenge }
      return `${issuerUrl}/authorize?${new URLSearchParams({ ...given, redirect_uri: callbackUrl })}`
    },
    approve(authorizationUrl, person) {
      const url = new URL(authorizationUrl)
      const given = (name: string) => url.searchParams.get(name) ?? ''
      const iss = url.href.replace(/\/authorize\?.*/, '')
      const code = `${iss} ${grants.size}`
      grants.set(code, {
        clientId: given('client_id'),
        nonce: given('nonce'),
        challenge: given('code_challenge'),
        callbackUrl: given('redirect_uri'),
        person,
      })
      return { code, state: given('state'), iss }
    },
    async redeem(provider, challenge, answer) {
      if (openId.failure) throw openId.failure
      const { code = '', state, error, iss } = answer
      const grant = code.startsWith(`${provider.issuerUrl} `) ? grants.get(code) : undefined
      grants.delete(code)
      const right =
        error === undefined &&
        state === challenge.state &&
        (iss === undefined || iss === provider.issuerUrl) &&
        grant?.clientId === provider.clientId &&
        grant.nonce === challenge.nonce &&
        grant.callbackUrl === challenge.callbackUrl &&
        grant.challenge === challengeOf(challenge.codeVerifier)
      if (!right) throw unauthenticated(`${provider.name} did not confirm the sign-in`)
      const { sub: subject } = grant.person
      return { issuer: provider.issuerUrl, subject, claims: structuredClone(grant.person) }
    },
  }
  return openId
}
