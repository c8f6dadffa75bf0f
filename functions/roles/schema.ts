import { z } from 'zod'
import { isBuiltin, knownPermissions, RoleName } from '../core/access/role.ts'
import { type Permission, permissions } from '../core/records/permissions.ts'
import { acceptResponse } from '../kit/read-only.ts'

/** The maximum number of roles that can exist, including the built-in ones. */
export const rolesMax = 200

const PermissionName = z
  .enum(permissions)
  .meta({ id: 'Permission', description: 'What a role may allow' })

const Permissions = z
  .array(PermissionName)
  .max(permissions.length)
  .overwrite((names) => knownPermissions(names))
  .describe('The permissions that endpoints name as x-permission')

export const Role = z
  .object({
    name: z.string().describe('Name of the role'),
    builtin: z.boolean().describe('True for a role that cannot be changed'),
    permissions: z.array(z.string()).describe('Permissions of the role'),
  })
  .meta({ id: 'Role' })

export const RolePath = z.object({ name: z.string().max(64).describe('Name of the role') })

export const CreateRoleBody = z
  .strictObject({
    name: RoleName.describe('Name of the role'),
    builtin: z
      .literal(false)
      .optional()
      .describe('Accepted so that a response can be sent back as a request'),
    permissions: Permissions,
  })
  .meta({ id: 'CreateRoleBody' })

export const UpdateRoleBody = acceptResponse(
  z.strictObject({ permissions: Permissions }),
  Role,
).meta({ id: 'UpdateRoleBody' })

/** Returns a role in the API's form. */
export const showRole = (name: string, allowed: readonly Permission[]) => ({
  name,
  builtin: isBuiltin(name),
  permissions: knownPermissions(allowed) as string[],
})

export const roleExample = {
  name: 'deployer',
  builtin: false,
  permissions: ['stacks:read', 'stacks:deploy'],
}
