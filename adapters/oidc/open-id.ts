import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { must } from '../../functions/compose/must.ts'
import type { OpenId } from '../../functions/core/ports/open-id.ts'
import { onRejection } from '../../functions/core/promises.ts'
import type { IdentityProvider } from '../../functions/core/records/identity-provider.ts'
import type { Dialer } from '../net/outbound.ts'
import { guardedFetch, isLocal } from './guarded-fetch.ts'
import { providerFailure, signInFailure } from './problems.ts'

/** Seconds. Timeout for each response of a provider. */
const timeout = 5
/** Milliseconds. How long a provider's configuration is cached, and how long a failure is. */
const remembered = 5 * 60_000
const rememberedFailure = 2000

interface Known {
  print: string
  until: number
  configuration: Promise<Configuration>
}

/**
 * Returns a client for OpenID Connect. It verifies the signature of every ID token, however the
 * token was received. It follows no redirects, and uses plain HTTP only with this machine, where
 * the outbound policy allows it.
 */
export function openIdClient(dialer: Dialer, now: () => number = () => performance.now()): OpenId {
  const known = new Map<string, Known>()
  const configurationOf = (provider: IdentityProvider): Promise<Configuration> => {
    const print = fingerprint(provider)
    const found = known.get(provider.id)
    if (found?.print === print && found.until > now()) return found.configuration
    const configuration = discover(provider, dialer)
    const entry = { print, until: now() + remembered, configuration }
    onRejection(configuration, () => {
      entry.until = now() + rememberedFailure
    })
    known.set(provider.id, entry)
    return configuration
  }
  return {
    async authorizationUrl(provider, { state, nonce, codeVerifier, callbackUrl }) {
      try {
        const configuration = await configurationOf(provider)
        const url = buildAuthorizationUrl(configuration, {
          redirect_uri: callbackUrl,
          scope: provider.scopes.join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        })
        return url.href
      } catch (error) {
        throw providerFailure(provider, error)
      }
    },
    async redeem(provider, challenge, answer) {
      const configuration = await configurationOf(provider).catch((error) => {
        throw providerFailure(provider, error)
      })
      try {
        const url = new URL(`${challenge.callbackUrl}?${new URLSearchParams(answer)}`)
        const tokens = await authorizationCodeGrant(configuration, url, {
          expectedState: challenge.state,
          expectedNonce: challenge.nonce,
          pkceCodeVerifier: challenge.codeVerifier,
          idTokenExpected: true,
        })
        const idClaims = must(tokens.claims(), 'ID token')
        const more = configuration.serverMetadata().userinfo_endpoint
          ? await fetchUserInfo(configuration, tokens.access_token, idClaims.sub)
          : {}
        const claims = { ...more, ...idClaims }
        return { issuer: idClaims.iss, subject: idClaims.sub, claims }
      } catch (error) {
        throw signInFailure(provider, error)
      }
    },
  }
}

function discover({ issuerUrl, clientId, clientSecret }: IdentityProvider, dialer: Dialer) {
  const issuer = new URL(issuerUrl)
  const local = isLocal(issuer)
  const execute = [enableNonRepudiationChecks, ...(local ? [allowInsecureRequests] : [])]
  const options = { execute, timeout, [customFetch]: guardedFetch(dialer, local) }
  return discovery(issuer, clientId, undefined, secretOf(clientSecret), options)
}

/**
 * Sends the secret in the Authorization header if the provider supports that, which is the default;
 * otherwise in the body (OpenID Connect Discovery 1.0, section 3).
 */
function secretOf(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

const fingerprint = ({ issuerUrl, clientId, clientSecret }: IdentityProvider) =>
  createHash('sha256')
    .update(JSON.stringify([issuerUrl, clientId, clientSecret]))
    .digest('hex')
