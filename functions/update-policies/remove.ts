import { requireEveryHost } from '../core/access/grant.ts'
import type { Needs } from '../core/ports/ports.ts'
import { removeInherited } from '../core/updates/save-inherited.ts'
import { endpoint } from '../kit/endpoint.ts'
import { PolicyPath } from './schema.ts'

export default endpoint({
  summary: 'Delete an update policy that stacks inherit',
  description: 'Stacks that inherited it get the next one: that of another tag, `default` or none.',
  access: 'settings:manage',
  path: PolicyPath,
  errors: {
    403: 'Your credential is limited to some hosts',
    404: 'There is no such policy',
    409: 'Another request changes the policy at the same time',
  },

  async run({ path, caller }, ports: Needs<'updatePolicies'>) {
    requireEveryHost(caller, 'update policies')
    await removeInherited(path.name, ports)
    return undefined
  },
})
