import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { OidcProvider, ProviderPath, providerExample, showProvider } from './schema.ts'

export default endpoint({
  summary: 'Show an identity provider with its settings',
  description: 'The client secret is never returned.',
  access: 'settings:manage',
  path: ProviderPath,
  returns: OidcProvider,
  errors: { 404: 'There is no such provider' },
  examples: { returns: providerExample },

  async run({ path }, { identityProviders, site }: Needs<'identityProviders' | 'site'>) {
    const provider = await identityProviders.find(path.id)
    if (!provider) throw notFound('there is no such identity provider')
    return versioned(showProvider(provider, site), provider.revision)
  },
})
