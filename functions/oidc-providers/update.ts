import type { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import type { IdentityProvider } from '../core/sso/provider.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requireGrants, requireRoles } from './grants.ts'
import {
  OidcProvider,
  OidcProviderChange,
  ProviderPath,
  providerExample,
  showProvider,
} from './schema.ts'

export default endpoint({
  summary: 'Change an identity provider',
  description:
    'What is left out stays. Another `issuer_url` needs the `client_secret` along: the stored one is not sent to a new place. Accounts stay with the issuer that they came from.',
  access: 'settings:manage',
  path: ProviderPath,
  body: OidcProviderChange,
  returns: OidcProvider,
  fails: {
    400: 'Another issuer without its secret',
    403: 'It would give more rights than you have',
    404: 'There is no such provider',
    409: 'It was changed at the same time',
  },
  examples: { body: { default_role: null }, returns: providerExample },

  async run({ path, body, caller }, ports: Needs<'identityProviders' | 'roles' | 'site'>) {
    const before = await ports.identityProviders.find(path.id)
    if (!before) throw notFound('there is no such identity provider')
    const next = changed(before, body)
    await requireRoles(next, ports)
    for (const one of [before, next]) await requireGrants(caller, one, ports)
    if (next.issuerUrl !== before.issuerUrl && body.client_secret === undefined) {
      throw invalid('body.client_secret: is required with another issuer_url')
    }
    if (!(await ports.identityProviders.replace(next))) {
      throw conflict('the provider was just changed by others: try again')
    }
    return showProvider(next, ports.site)
  },
})

function changed<P extends IdentityProvider>(
  provider: P,
  body: z.output<typeof OidcProviderChange>,
): P {
  return {
    ...provider,
    name: body.name ?? provider.name,
    issuerUrl: body.issuer_url ?? provider.issuerUrl,
    clientId: body.client_id ?? provider.clientId,
    clientSecret: body.client_secret ?? provider.clientSecret,
    scopes: body.scopes ?? provider.scopes,
    roleClaim: body.role_claim === undefined ? provider.roleClaim : body.role_claim,
    roleMap: body.role_map ?? provider.roleMap,
    defaultRole: body.default_role === undefined ? provider.defaultRole : body.default_role,
  }
}
