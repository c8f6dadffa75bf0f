import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { getSet, refuseTaken } from '../core/stacks/variable-set.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { SetPath } from './schema.ts'

export default endpoint({
  summary: 'Delete a set of shared variables',
  description: 'Needs stacks:privileged too.',
  access: 'variables:manage',
  takesIfMatch: true,
  path: SetPath,
  errors: {
    403: 'You lack `stacks:privileged`, or your credential is limited to some hosts',
    404: 'There is no such set of variables',
    409: 'A stack takes it',
  },

  async run({ path, caller, ifMatch }, ports: Needs<'hosts' | 'stacks' | 'variableSets'>) {
    requireEveryHost(caller, 'variables')
    requirePermissions(caller, ['stacks:privileged'], 'variables')
    const set = await getSet(path.name, ports)
    ifMatch.check(set.revision)
    await refuseTaken(set.id, ports)
    if (!(await removeMatching(set, ports.variableSets, ifMatch))) await getSet(path.name, ports)
    return undefined
  },
})
