import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { Registry, registriesMax, registryExample, showRegistry } from './schema.ts'

export default endpoint({
  summary: 'List image registries with credentials',
  description: 'Sorted by address, which is the name of a registry. Passwords are never returned.',
  access: 'registries:manage',
  query: z.object({ after }),
  returns: z.array(Registry).max(registriesMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [registryExample] },

  async run({ query }, { registries }: Needs<'registries'>) {
    const shown = (await registries.list()).map(showRegistry)
    return pagedByName(shown, {
      cap: registriesMax,
      nameOf: ({ address }) => address,
      after: query.after,
    })
  },
})
