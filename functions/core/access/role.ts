import { z } from 'zod'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Needs } from '../ports/ports.ts'
import type { Account, RecordedRights } from '../records/account.ts'
import { builtinRoles, type Permission, permissions } from '../records/permissions.ts'

/** What an account may do, and on which hosts. */
export interface Rights {
  role: string
  permissions: ReadonlySet<string>
  scopeTags: readonly string[]
}

/** The name of a role. Lower case only, so that no two names look the same. */
export const RoleName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'must be 1 to 32 of a-z, 0-9, _ and -, beginning with a letter or digit',
  )
  .describe('admin, operator, viewer, or a custom role')

/** Returns whether a role is built in. */
export const isBuiltin = (name: string) => Object.hasOwn(builtinRoles, name)

const builtinSets = new Map(
  Object.entries(builtinRoles).map(([role, list]) => [role, new Set<string>(list)]),
)

/** Returns the current permissions of a role; a role that does not exist has none. */
export async function permissionsOf(
  role: string,
  { roles }: Needs<'roles'>,
): Promise<ReadonlySet<string>> {
  const builtin = builtinSets.get(role)
  if (builtin) return builtin
  const custom = await roles.find(role)
  return new Set(custom ? knownPermissions(custom.permissions) : [])
}

/**
 * Returns the names that are permissions, in display order. A record may come from another version.
 */
export const knownPermissions = (names: readonly string[]): Permission[] =>
  permissions.filter((permission) => names.includes(permission))

/** Returns the rights that an account with this role and scope has. */
export async function rightsOf(
  { role, scopeTags }: Pick<Account, 'role' | 'scopeTags'>,
  ports: Needs<'roles'>,
): Promise<Rights> {
  return { role, scopeTags, permissions: await permissionsOf(role, ports) }
}

/** Returns what a new API token of an account with these rights records of them. */
export const recordedRights = ({ role, permissions, scopeTags }: Rights): RecordedRights => ({
  role,
  permissions: isBuiltin(role) ? null : [...permissions],
  scopeTags: [...scopeTags],
})

/** Returns those of an account's permissions that recorded rights allow. */
export function permissionsWithin(
  permissions: ReadonlySet<string>,
  { role, permissions: recorded }: RecordedRights,
): ReadonlySet<string> {
  const most = recorded === null ? builtinSets.get(role) : new Set(recorded)
  return new Set([...permissions].filter((permission) => most?.has(permission)))
}

/** @throws 400 if the role does not exist */
export async function requireRole(name: string, { roles }: Needs<'roles'>): Promise<void> {
  if (!isBuiltin(name) && !(await roles.find(name))) {
    throw invalid(`body.role: there is no role ${name}`)
  }
}

/**
 * Returns the custom role with this name.
 *
 * @throws 409 if the role is built in, 404 if it does not exist
 */
export async function getCustomRole(name: string, { roles }: Needs<'roles'>) {
  if (isBuiltin(name))
    throw conflict(`the role ${name} is built in and cannot be changed`, { reason: 'pinned' })
  const role = await roles.find(name)
  if (!role) throw notFound(`there is no role ${name}`)
  return role
}
