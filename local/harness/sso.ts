import type { ProviderUser } from '../../adapters/testing/memory/open-id.ts'
import { memoryPorts } from '../../adapters/testing/memory/stores.ts'
import callback from '../../functions/auth/oidc/callback.ts'
import exchange from '../../functions/auth/oidc/exchange.ts'
import login from '../../functions/auth/oidc/login.ts'
import createProvider from '../../functions/oidc-providers/create.ts'
import { call } from './call.ts'

/** A provider as an admin adds it. */
export const keycloak = {
  name: 'Keycloak',
  issuer_url: 'https://login.example.org/realms/main',
  client_id: 'container-stacks',
  client_secret: 'a secret that is never shown again',
  default_role: 'viewer',
}

/** The redirect URI of sign-ins in tests. */
export const redirect = 'http://127.0.0.1:9/done'

/** Returns ports with a provider in memory, and the steps of a sign-in. */
export async function ssoWorld(given: object = {}) {
  const ports = memoryPorts()
  await call(createProvider, { ports, body: { ...keycloak, ...given }, as: 'admin' })
  const path = { id: 'keycloak' }
  const begin = (query: Record<string, string> = {}, id = 'keycloak') =>
    call(login, { ports, path: { id }, query: { redirect_uri: redirect, ...query } })
  const answer = (query: Record<string, string>, id = 'keycloak') =>
    call(callback, { ports, path: { id }, query })
  const redeem = (body: object) => call(exchange, { ports, body })
  /** Returns the callback query of the provider after the user agreed. */
  const agreed = async (person: ProviderUser, query: Record<string, string> = {}) => {
    const started = await begin(query)
    return ports.openId.approve(started.headers.location ?? '', person)
  }
  return {
    ports,
    path,
    begin,
    answer,
    redeem,
    agreed,
    /** Signs in up to the code. Returns the response, with a null code if there is none. */
    async walk(person: ProviderUser, query: Record<string, string> = {}) {
      const ended = await answer(await agreed(person, query))
      const { location } = ended.headers
      const code = location ? new URL(location).searchParams.get('code') : null
      return { ...ended, location, code }
    },
  }
}

export const ann: ProviderUser = {
  sub: 's-ann',
  preferred_username: 'ann',
  email: 'ann@example.org',
}
