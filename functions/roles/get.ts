import { notFound } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import { endpoint } from '../kit/endpoint.ts'
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
    const allowed = builtin ? builtin[1] : (await roles.find(name))?.permissions
    if (!allowed) throw notFound(`there is no role ${name}`)
    return showRole(name, allowed)
  },
})
