import type { Permission } from '../../functions/core/records/permissions.ts'
import type { World } from './world.ts'

/** Creates a role with these permissions. Returns an account with that role to call as. */
export async function givenRole({ ports }: World, permissions: readonly Permission[]) {
  const id = `role-${permissions.length}-${permissions.join('-').replaceAll(':', '-')}`
  await ports.roles.create({ id, permissions: [...permissions], createdAt: 0 })
  return { username: id, role: id }
}
