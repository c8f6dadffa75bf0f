import { notFound } from '../../core/errors.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { base64url, signInLifetime } from '../../core/sso/one-time.ts'
import { allowedRedirect, ownAddress } from '../../core/sso/redirect.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { Reply } from '../../kit/reply.ts'
import { ProviderPath, StartQuery } from './schema.ts'

type Ports = Needs<'identityProviders' | 'signInSteps' | 'openId' | 'site' | 'random' | 'clock'>

export default endpoint({
  summary: 'Sign in with an identity provider',
  description:
    'Redirects the browser to the provider: OpenID Connect authorization code flow with PKCE, state and nonce. The user has ten minutes to sign in.',
  access: 'public',
  path: ProviderPath,
  query: StartQuery,
  status: 302,
  responseHeaders: { Location: { description: 'Address of the provider', statuses: [302] } },
  errors: {
    400: '`redirect_uri` is not allowed',
    404: 'There is no such provider',
    409: 'SERVICE_BASE_URL is not configured',
    500: 'The provider did not respond, or its response is invalid',
  },

  async run({ path, query, request }, ports: Ports) {
    const provider = await ports.identityProviders.find(path.id)
    if (!provider) throw notFound('there is no such identity provider')
    const own = ownAddress(ports.site, request.headers.host)
    const redirectUri = allowedRedirect(query.redirect_uri, own)
    const randomText = () => base64url(ports.random.bytes(32))
    const authorization = {
      nonce: randomText(),
      codeVerifier: randomText(),
      callbackUrl: `${own}/api/v1/auth/oidc/${provider.id}/callback`,
    }
    const state = ports.signInSteps.seal({
      ...authorization,
      providerId: provider.id,
      redirectUri,
      challenge: query.code_challenge ?? null,
      tellsErrors: query.errors === 'redirect',
      expiresAt: ports.clock.now() + signInLifetime,
    })
    const location = await ports.openId.authorizationUrl(provider, { ...authorization, state })
    return new Reply(undefined, { headers: { Location: location } })
  },
})
