import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { requireGrants } from './grants.ts'
import { ProviderPath } from './schema.ts'

export default endpoint({
  summary: 'Delete an identity provider',
  description:
    'Users can no longer sign in with it. The accounts created through it keep their sessions and API tokens: disable the accounts to end them.',
  access: 'settings:manage',
  takesIfMatch: true,
  path: ProviderPath,
  errors: {
    403: 'The provider grants permissions you do not have, or users of its issuer have some',
    404: 'There is no such provider',
  },

  async run({ path, caller, ifMatch }, ports: Needs<'accounts' | 'identityProviders' | 'roles'>) {
    const provider = await ports.identityProviders.find(path.id)
    if (!provider) throw notFound('there is no such identity provider')
    await requireGrants(caller, provider, ports)
    ifMatch.check(provider.revision)
    await removeMatching(provider, ports.identityProviders, ifMatch)
    return undefined
  },
})
