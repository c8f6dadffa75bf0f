import { getHost } from '../../core/hosts/target.ts'
import type { Needs } from '../../core/ports/ports.ts'
import { removePrunePolicy } from '../../core/prune-policies/prune-record.ts'
import type { PrunePolicy } from '../../core/records/prune-policy.ts'
import { endpoint } from '../../kit/endpoint.ts'
import { HostPath } from '../schema.ts'
import { prunePolicyEdition } from './view.ts'

export default endpoint({
  summary: 'Delete the prune policy of a host',
  description:
    'No image is removed on a schedule from then on. A run in progress goes on to its end. What was seen of unused images is forgotten.',
  access: 'images:delete',
  atService: true,
  takesIfMatch: true,
  path: HostPath,
  errors: {
    404: 'No host has that id',
    409: 'Another request changed the policy at the same time',
  },

  async run({ path, ifMatch }, ports: Needs<'hosts' | 'prunePolicies'>) {
    const { id } = await getHost(path.id, ports)
    const check = (found: PrunePolicy | undefined) => ifMatch.check(prunePolicyEdition(found))
    await removePrunePolicy(id, check, ports)
    return undefined
  },
})
