import { requireEveryHost } from '../core/access/grant.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { RegistryPath } from './schema.ts'

export default endpoint({
  summary: 'Delete the credentials of an image registry',
  access: 'registries:manage',
  takesIfMatch: true,
  path: RegistryPath,
  errors: { 403: 'Your credential is limited to some hosts', 404: 'There is no such registry' },

  async run({ path, caller, ifMatch }, { registries }: Needs<'registries'>) {
    requireEveryHost(caller, 'registries')
    const registry = await registries.find(path.id)
    if (!registry) throw notFound('there is no such registry')
    ifMatch.check(registry.revision)
    if (!(await removeMatching(registry, registries, ifMatch)))
      throw notFound('there is no such registry')
    return undefined
  },
})
