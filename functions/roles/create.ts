import { withAdminLock } from '../core/access/admins.ts'
import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { isBuiltin } from '../core/access/role.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import { endpoint } from '../kit/endpoint.ts'
import { CreateRoleBody, Role, roleExample, rolesMax, showRole } from './schema.ts'

type Ports = Needs<'roles' | 'leases' | 'random' | 'clock' | 'background'>

export default endpoint({
  summary: 'Create a role',
  description:
    'A role is a named set of permissions. You cannot grant permissions you do not have. A credential that is limited to some hosts cannot create roles.',
  access: 'roles:manage',
  body: CreateRoleBody,
  returns: Role,
  status: 201,
  errors: {
    403: 'The role would allow more than yours, or your credential is limited to some hosts',
    409: 'The name is taken, or the limit of roles is reached',
  },
  examples: {
    body: { name: 'deployer', permissions: roleExample.permissions },
    returns: roleExample,
  },

  async run({ body, caller }, ports: Ports) {
    const { name, permissions } = body
    requireEveryHost(caller, 'roles')
    requirePermissions(caller, permissions, `the role ${name}`)
    const taken = () => conflict(`the role ${name} already exists`, { reason: 'exists' })
    if (isBuiltin(name)) throw taken()
    await withAdminLock(ports, async (ensureLock) => {
      const others = await ports.roles.list()
      if (others.length + Object.keys(builtinRoles).length >= rolesMax) {
        throw conflict(`the limit of ${rolesMax} roles is reached`, { reason: 'limit' })
      }
      const role = { id: name, permissions, createdAt: ports.clock.now() }
      ensureLock()
      if (!(await ports.roles.create(role))) throw taken()
    })
    return showRole(name, permissions)
  },
})
