import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import { endpoint } from '../kit/endpoint.ts'
import { versioned } from '../kit/reply.ts'
import { Role, RolePath, roleExample, showRole } from './schema.ts'

export default endpoint({
  summary: 'Show a role',
  access: 'roles:manage',
  path: RolePath,
  returns: Role,
  errors: { 404: 'There is no such role' },
  examples: { returns: roleExample },

  async run({ path: { name } }, { roles }: Needs<'roles'>) {
    const builtin = Object.entries(builtinRoles).find(([role]) => role === name)
    if (builtin) return showRole(name, builtin[1])
    const role = await roles.find(name)
    if (!role) throw notFound(`there is no role ${name}`)
    return versioned(showRole(name, role.permissions), role.revision)
  },
})
