import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { RegistryPath } from './schema.ts'

export default endpoint({
  summary: 'Delete the credentials of an image registry',
  access: 'registries:manage',
  path: RegistryPath,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such registry' },

  async run({ path, caller }, { registries }: Needs<'registries'>) {
    requireEveryHost(caller, 'registries')
    if (!(await registries.remove(path.id))) throw notFound('there is no such registry')
    return undefined
  },
})
