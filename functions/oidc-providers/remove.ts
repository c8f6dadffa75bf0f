import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { requireGrants } from './grants.ts'
import { ProviderPath } from './schema.ts'

export default endpoint({
  summary: 'Remove an identity provider',
  description:
    'Nobody can sign in with it from now on. Accounts that came from it stay, with their sessions and API tokens: disable those that are to end.',
  access: 'settings:manage',
  path: ProviderPath,
  fails: { 403: 'It gives more rights than you have', 404: 'There is no such provider' },

  async run({ path, caller }, ports: Needs<'identityProviders' | 'roles'>) {
    const provider = await ports.identityProviders.find(path.id)
    if (!provider) throw notFound('there is no such identity provider')
    await requireGrants(caller, provider, ports)
    await ports.identityProviders.remove(path.id)
    return undefined
  },
})
