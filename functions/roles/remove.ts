import { withAdminLock } from '../core/access/admins.ts'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { getCustomRole } from '../core/access/role.ts'
import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { removeMatching } from '../kit/entity-tag.ts'
import { refuseUsedRole } from './refuse-used.ts'
import { RolePath } from './schema.ts'

type Ports = Needs<
  'roles' | 'accounts' | 'identityProviders' | 'leases' | 'random' | 'clock' | 'background'
>

export default endpoint({
  summary: 'Delete a role',
  access: 'roles:manage',
  takesIfMatch: true,
  path: RolePath,
  errors: {
    403: 'The role allows more than yours, or your credential is limited to some hosts',
    404: 'There is no such role',
    409: 'The role is built in, a user has it, or an identity provider grants it',
  },

  async run({ path, caller, ifMatch }, ports: Ports) {
    const { name } = path
    requireEveryHost(caller, 'roles')
    await withAdminLock(ports, async (ensureLock) => {
      const role = await getCustomRole(name, ports)
      requirePermissions(caller, role.permissions, `the role ${name}`)
      await refuseUsedRole(name, ports)
      ifMatch.check(role.revision)
      ensureLock()
      if (!(await removeMatching(role, ports.roles, ifMatch)))
        throw notFound(`there is no role ${name}`)
    })
    return undefined
  },
})
