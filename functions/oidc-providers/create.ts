import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import { requireGrants, requireRoles } from './grants.ts'
import { idOf } from './issuer.ts'
import { OidcProvider, OidcProviderBody, providerExample, showProvider } from './schema.ts'

const { id: _id, callback_url: _url, ...settings } = providerExample

export default endpoint({
  summary: 'Add an identity provider',
  description:
    'Users of the provider can sign in if `role_map` or `default_role` grants them a role. The id, which is part of the callback URL, is derived from the name. You cannot grant permissions you do not have.',
  access: 'settings:manage',
  body: OidcProviderBody,
  returns: OidcProvider,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'The provider would grant permissions you do not have, or users of its issuer have some',
    409: 'A provider with that name exists',
  },
  examples: {
    body: { ...settings, client_secret: 'the secret of the client' },
    returns: providerExample,
  },

  async run(
    { body, caller },
    ports: Needs<'accounts' | 'identityProviders' | 'roles' | 'site' | 'random' | 'clock'>,
  ) {
    const provider = {
      id: idOf(body.name) ?? ports.random.id(),
      name: body.name,
      issuerUrl: body.issuer_url,
      clientId: body.client_id,
      clientSecret: body.client_secret,
      scopes: body.scopes,
      roleClaim: body.role_claim,
      roleMap: body.role_map,
      defaultRole: body.default_role,
      createdAt: ports.clock.now(),
    }
    await requireRoles(provider, ports)
    await requireGrants(caller, provider, ports)
    if (!(await ports.identityProviders.create(provider))) {
      throw conflict(`provider ${provider.id} already exists`, { reason: 'exists' })
    }
    return created(showProvider(provider, ports.site), 'oidc-providers', provider.id)
  },
})
