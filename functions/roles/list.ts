import { z } from 'zod'
import type { Needs } from '../core/ports/ports.ts'
import { builtinRoles } from '../core/records/permissions.ts'
import { endpoint } from '../kit/endpoint.ts'
import { after, nextByNameHeader } from '../kit/params.ts'
import { pagedByName } from '../kit/reply.ts'
import { Role, roleExample, rolesMax, showRole } from './schema.ts'

export default endpoint({
  summary: 'List roles',
  description: 'The built-in and custom roles, sorted by name.',
  access: 'roles:manage',
  query: z.object({ after }),
  returns: z.array(Role).max(rolesMax),
  responseHeaders: nextByNameHeader,
  examples: { returns: [roleExample] },

  async run({ query }, ports: Needs<'roles'>) {
    const builtin = Object.entries(builtinRoles).map(([name, list]) => showRole(name, list))
    const custom = (await ports.roles.list()).map((role) => showRole(role.id, role.permissions))
    const byName = [...builtin, ...custom].sort((one, other) => (one.name < other.name ? -1 : 1))
    return pagedByName(byName, { cap: rolesMax, nameOf: ({ name }) => name, after: query.after })
  },
})
