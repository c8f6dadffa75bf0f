import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import { endpoint } from '../kit/endpoint.ts'
import { capped } from '../kit/reply.ts'
import { Role, roleExample, rolesMax, showRole } from './schema.ts'

export default endpoint({
  summary: 'List roles',
  description: 'The built-in and custom roles, sorted by name.',
  access: 'roles:manage',
  returns: z.array(Role).max(rolesMax),
  examples: { returns: [roleExample] },

  async run(_input, ports: Needs<'roles'>) {
    const builtin = Object.entries(builtinRoles).map(([name, list]) => showRole(name, list))
    const custom = (await ports.roles.list()).map((role) => showRole(role.id, role.permissions))
    const byName = [...builtin, ...custom].sort((one, other) => (one.name < other.name ? -1 : 1))
    return capped(byName, rolesMax)
  },
})
