import type { Needs } from '../../functions/core/ports/ports.ts'
import type { Permission } from '../../functions/core/records/permissions.ts'

/** Creates a role with these permissions. Returns an account with that role to call as. */
export async function givenRole(
  { ports }: { ports: Needs<'roles'> },
  permissions: readonly Permission[],
) {
  const id = `role-${permissions.length}-${permissions.join('-').replaceAll(':', '-')}`
  await ports.roles.create({ id, permissions: [...permissions], createdAt: 0 })
  return { username: id, role: id }
}
