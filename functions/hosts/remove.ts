import { requireEveryHost } from '../core/access/grant.ts'
import { invalid } from '../core/errors.ts'
import { deleteHostWithStacks, revokeOrDelete } from '../core/host-removal/delete-host.ts'
import { requireAgent } from '../core/hosts/enrol.ts'
import { getHost } from '../core/hosts/target.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Host } from '../core/records/host.ts'
import type { DeleteRecordsPorts } from '../core/stacks/delete-records.ts'
import { endpoint } from '../kit/endpoint.ts'
import { hostEdition } from './edition.ts'
import { HostPath, RemoveHostQuery } from './schema.ts'

export default endpoint({
  summary: 'Revoke or delete a host',
  description:
    'Without `force` it does the same as `POST /hosts/{id}/revoke` and may be repeated. Only a host that never enrolled is deleted, unless stacks are placed on it. ' +
    '`force=true` revokes the host, deletes it from the list and forgets the stacks in `stacks`, which must be exactly those that are placed on it. Nothing is removed on the host itself.',
  access: 'hosts:manage',
  // It may have to take over the lease of a stack, which a function never does.
  atService: true,
  path: HostPath,
  takesIfMatch: true,
  query: RemoveHostQuery,
  errors: {
    403: 'Your credential is limited to some hosts, or you may not delete stacks',
    404: 'No host has that id',
    409: 'Stacks are placed on the host, and they are not those in `stacks`; the message lists them',
  },

  async run({ path, query, caller, ifMatch }, ports: DeleteRecordsPorts & Needs<'hosts'>) {
    requireEveryHost(caller, 'hosts')
    const { force, stacks } = query
    if (stacks && !force) throw invalid('query.stacks: is used only with force=true')
    const host = await getHost(path.id, ports)
    requireAgent(host)
    const check = (read: Host) => ifMatch.check(hostEdition(read))
    if (force) await deleteHostWithStacks(host, stacks ?? [], { caller, check }, ports)
    else await revokeOrDelete(host.id, { caller, check }, ports)
    return undefined
  },
})
