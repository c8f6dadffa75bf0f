import { z } from 'zod'
import type { Needs } from '../../core/ports/ports.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { capped } from '../../kit/reply.ts'
import { providersMax, SignInProvider } from './schema.ts'

export default endpoint({
  summary: 'List the identity providers available for sign-in',
  access: 'public',
  returns: z.array(SignInProvider).max(providersMax),
  examples: { returns: [{ id: 'keycloak', name: 'Keycloak' }] },

  async run(_input, { identityProviders }: Needs<'identityProviders'>) {
    const shown = (await identityProviders.list()).map(({ id, name }) => ({ id, name }))
    return capped(
      shown.sort((a, b) => (a.name < b.name ? -1 : 1)),
      providersMax,
    )
  },
})
