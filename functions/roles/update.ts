import { requireEveryHost, requirePermissions } from '../core/access/grant.ts'
import { getCustomRole } from '../core/access/role.ts'
import { conflict } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { Role, RolePath, roleExample, showRole, UpdateRoleBody } from './schema.ts'

export default endpoint({
  summary: 'Update a role',
  description:
    'Replaces its permissions, which apply from the next request of each user. A role cannot be renamed: create a new one, assign it to the users, then delete the old one.',
  access: 'roles:manage',
  takesIfMatch: true,
  path: RolePath,
  body: UpdateRoleBody,
  returns: Role,
  errors: {
    400: 'The name differs, or a permission does not exist',
    403: 'The role allows, or would allow, more than yours, or your credential is limited to some hosts',
    404: 'There is no such role',
    409: 'The role is built in, or is being changed by another request',
  },
  examples: { body: { permissions: roleExample.permissions }, returns: roleExample },

  async run({ path, body, caller, ifMatch }, ports: Needs<'roles'>) {
    const { name } = path
    const { permissions } = body
    requireEveryHost(caller, 'roles')
    requirePermissions(caller, permissions, `the role ${name}`)
    for (let tries = 0; tries < 8; tries += 1) {
      const role = await getCustomRole(name, ports)
      requirePermissions(caller, role.permissions, `the role ${name}`)
      ifMatch.check(role.revision)
      const saved = await ports.roles.replace({ ...role, permissions })
      if (saved) return versioned(showRole(name, permissions), saved.revision)
    }
    throw conflict(`the role ${name} is being changed by another request: try again`)
  },
})
