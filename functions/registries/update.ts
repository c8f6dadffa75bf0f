import { requireEveryHost } from '../core/access/grant.ts'
import { conflict, invalid, notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import {
  Registry,
  RegistryPath,
  registryExample,
  showRegistry,
  UpdateRegistryBody,
} from './schema.ts'

export default endpoint({
  summary: 'Update the credentials of an image registry',
  description: 'Omitted fields keep their values.',
  access: 'registries:manage',
  takesIfMatch: true,
  path: RegistryPath,
  body: UpdateRegistryBody,
  returns: Registry,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such registry',
    409: 'The registry is being changed by another request',
  },
  examples: { body: { password: 'a newer token' }, returns: registryExample },

  async run({ path, body, caller, ifMatch }, { registries, clock }: Needs<'registries' | 'clock'>) {
    requireEveryHost(caller, 'registries')
    const registry = await registries.find(path.id)
    if (!registry) throw notFound('there is no such registry')
    if (body.address !== undefined && body.address !== registry.id) {
      throw invalid('body.address: cannot be changed: add the other registry with POST /registries')
    }
    ifMatch.check(registry.revision)
    const { username = registry.username, password = registry.password } = body
    const next = { ...registry, username, password, updatedAt: clock.now() }
    const saved = await registries.replace(next)
    if (!saved) throw conflict('the registry is being changed by another request: try again')
    return versioned(showRegistry(saved), saved.revision)
  },
})
