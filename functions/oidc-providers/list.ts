import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { OidcProvider, providerExample, providersMax, showProvider } from './schema.ts'

export default endpoint({
  summary: 'List identity providers with their settings',
  access: 'settings:manage',
  query: z.object({ after }),
  returns: z.array(OidcProvider).max(providersMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [providerExample] },

  async run({ query }, { identityProviders, site }: Needs<'identityProviders' | 'site'>) {
    const all = await identityProviders.list()
    const shown = all.map((provider) => showProvider(provider, site))
    shown.sort((a, b) => (a.name < b.name ? -1 : 1))
    return pagedByName(shown, { cap: providersMax, nameOf: ({ name }) => name, after: query.after })
  },
})
