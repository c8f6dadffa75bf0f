import type { z } from 'zod'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { IdentityProvider } from '../core/records/identity-provider.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { requireGrants, requireRoles } from './grants.ts'
import {
  OidcProvider,
  OidcProviderChange,
  ProviderPath,
  providerExample,
  showProvider,
} from './schema.ts'

export default endpoint({
  summary: 'Update an identity provider',
  description:
    'Omitted fields keep their values; `role_map` and `scopes` are replaced whole. A new `issuer_url` needs the `client_secret`: the stored one is never sent to a different issuer. Accounts stay bound to the issuer that created them.',
  access: 'settings:manage',
  takesIfMatch: true,
  path: ProviderPath,
  body: OidcProviderChange,
  returns: OidcProvider,
  errors: {
    400: 'A new issuer without its secret',
    403: 'The provider grants, or would grant, permissions you do not have, or users of its issuer have some',
    404: 'There is no such provider',
    409: 'The provider was changed by another request',
  },
  examples: { body: { default_role: null }, returns: providerExample },

  async run(
    { path, body, caller, ifMatch },
    ports: Needs<'accounts' | 'identityProviders' | 'roles' | 'site'>,
  ) {
    const before = await ports.identityProviders.find(path.id)
    if (!before) throw notFound('there is no such identity provider')
    const next = changed(before, body)
    await requireRoles(next, ports)
    for (const one of [before, next]) await requireGrants(caller, one, ports)
    if (next.issuerUrl !== before.issuerUrl && body.client_secret === undefined) {
      throw invalid('body.client_secret: is required to change issuer_url')
    }
    ifMatch.check(before.revision)
    const saved = await ports.identityProviders.replace(next)
    if (!saved) {
      throw conflict('the provider was changed by another request: try again')
    }
    return versioned(showProvider(saved, ports.site), saved.revision)
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
