import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { Registry, RegistryPath, registryExample, showRegistry } from './schema.ts'

export default endpoint({
  summary: 'Show an image registry with credentials',
  description: 'The password is never returned.',
  access: 'registries:manage',
  path: RegistryPath,
  returns: Registry,
  errors: { 404: 'There is no such registry' },
  examples: { returns: registryExample },

  async run({ path }, { registries }: Needs<'registries'>) {
    const registry = await registries.find(path.id)
    if (!registry) throw notFound('there is no such registry')
    return versioned(showRegistry(registry), registry.revision)
  },
})
