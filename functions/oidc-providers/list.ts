import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { OidcProvider, providerExample, providersMax, showProvider } from './schema.ts'

export default endpoint({
  summary: 'List identity providers with their settings',
  access: 'settings:manage',
  returns: z.array(OidcProvider).max(providersMax),
  examples: { returns: [providerExample] },

  async run(_input, { identityProviders, site }: Needs<'identityProviders' | 'site'>) {
    const all = await identityProviders.list()
    const shown = all.map((provider) => showProvider(provider, site))
    return capped(
      shown.sort((a, b) => (a.name < b.name ? -1 : 1)),
      providersMax,
    )
  },
})
