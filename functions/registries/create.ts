import { isPublicName } from '../compose/reference/public-name.ts'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { created, createdHeaders } from '../kit/location.ts'
import {
  CreateRegistryBody,
  Registry,
  registriesMax,
  registryExample,
  showRegistry,
} from './schema.ts'

export default endpoint({
  summary: 'Store the credentials of an image registry',
  description:
    'They are used for pulls from the registry and for builds, on every host, and are encrypted in the store. A registry has one user name. An address without a public DNS name requires `stacks:privileged`, because the stacks of all callers may then use it.',
  access: 'registries:manage',
  body: CreateRegistryBody,
  returns: Registry,
  status: 201,
  responseHeaders: createdHeaders,
  errors: {
    403: 'Your credential is limited to some hosts, or a registry without a public DNS name needs `stacks:privileged`',
    409: 'The registry already has credentials, or the limit of registries is reached',
  },
  examples: {
    body: { address: 'registry.example.org:5000', username: 'puller', password: 'a token of it' },
    returns: registryExample,
  },

  async run({ body, caller }, { registries, clock }: Needs<'registries' | 'clock'>) {
    requireEveryHost(caller, 'registries')
    if (!isPublicName(body.address)) {
      requirePermissions(
        caller,
        ['stacks:privileged'],
        'address: a registry without a public DNS name',
      )
    }
    if ((await registries.list()).length >= registriesMax) {
      throw conflict(`the limit of ${registriesMax} registries is reached`, { reason: 'limit' })
    }
    const { address: id, username, password } = body
    const now = clock.now()
    const registry = { id, username, password, createdAt: now, updatedAt: now }
    if (!(await registries.create(registry)))
      throw conflict(`registry ${id}: it already has credentials`, { reason: 'exists' })
    return created(showRegistry(registry), 'registries', registry.id)
  },
})
