import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Registry, registriesMax, registryExample, showRegistry } from './schema.ts'

export default endpoint({
  summary: 'List image registries with credentials',
  description: 'Passwords are never returned.',
  access: 'registries:manage',
  returns: z.array(Registry).max(registriesMax),
  examples: { returns: [registryExample] },

  async run(_input, { registries }: Needs<'registries'>) {
    return capped((await registries.list()).map(showRegistry), registriesMax)
  },
})
