import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Provider } from 'oidc-provider'
import { openIdClient } from '../../adapters/oidc/open-id.ts'
import { type Claims, type Forge, idTokenParts } from './id-token.ts'
import { loopbackDialer } from './outbound.ts'

/** A real OpenID Connect provider on this machine. */
export interface TestProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** The users who can sign in there: subject → claims. */
  people: Record<string, Record<string, unknown>>
  /** Replaces the ID token of each response. */
  forge: Forge | undefined
  /** Every requested path, in order. */
  asked: string[]
  close(): Promise<void>
}

/**
 * Starts the provider with one client, which has these callback URLs. It shows no login page: the
 * request header `x-person` names the user, and an unknown user counts as access denied.
 */
export async function startProvider(
  callbackUrls: string[],
  options: { port?: number; clientId?: string; configuration?: object } = {},
): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let handle = (_request: IncomingMessage, _response: ServerResponse) => {}
  const server = createServer((request, response) => {
    test.asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    handle(request, response)
  })
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done))
  const test: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: options.clientId ?? 'container-stacks',
    clientSecret: 'the-secret-of-the-client-0123456789',
    people: {},
    forge: undefined,
    asked: [],
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'RS256' }
  const provider = await withoutWarnings(async () => {
    const { Provider } = await import('oidc-provider')
    return new Provider(test.issuer, configurationOf(test, callbackUrls, jwk, options))
  })
  provider.use(async (context, next) => {
    await next()
    const { body } = context
    if (context.oidc?.route !== 'token' || !body?.id_token || !test.forge) return
    const keys = { privateKey, publicKey, clientSecret: test.clientSecret }
    context.body = { ...body, id_token: test.forge(idTokenParts(body.id_token), keys) }
  })
  const serve = provider.callback()
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return serve(request, response)
    interact(provider, test, request, response).catch((error) => response.destroy(error))
  }
  return test
}

/** Makes a service use real providers and derive its URL from the request. */
export const speakOpenId = (ports: object) =>
  void Object.assign(ports, {
    openId: openIdClient(loopbackDialer()),
    site: { baseUrl: null, feedsUrl: null },
  })

function configurationOf(
  test: TestProvider,
  callbackUrls: string[],
  jwk: object,
  { configuration }: { configuration?: object },
) {
  return {
    clients: [
      {
        client_id: test.clientId,
        client_secret: test.clientSecret,
        redirect_uris: callbackUrls,
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [jwk] },
    cookies: { keys: ['a key of no importance'] },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'name', 'groups', 'realm'],
      email: ['email', 'email_verified'],
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_context: unknown, id: string) =>
      Object.hasOwn(test.people, id)
        ? { accountId: id, claims: (): Claims => ({ sub: id, ...test.people[id] }) }
        : undefined,
    ...configuration,
  }
}

async function interact(
  provider: Provider,
  test: TestProvider,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  const person = String(request.headers['x-person'] ?? '')
  if (!Object.hasOwn(test.people, person)) {
    const refusal = { error: 'access_denied', error_description: '<b>nobody</b>' }
    return provider.interactionFinished(request, response, refusal)
  }
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId: person } })
  }
  const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id })
  grant.addOIDCScope('openid profile email')
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent })
}

/** Suppresses the provider's warnings about production use and the version of Node. */
async function withoutWarnings<T>(work: () => Promise<T>): Promise<T> {
  const { warn, info } = console
  const others =
    (print: typeof warn) =>
    (...given: unknown[]) => {
      if (!String(given[0]).includes('oidc-provider ')) print(...given)
    }
  console.warn = others(warn)
  console.info = others(info)
  try {
    return await work()
  } finally {
    Object.assign(console, { warn, info })
  }
}
