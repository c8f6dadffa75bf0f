import { z } from 'zod'
import { conflict, invalid, notFound } from '../errors.ts'
import type { Needs } from '../ports.ts'
import type { Account } from './account.ts'
import { builtinRoles, type Permission, permissions } from './permissions.ts'

/** A role that an administrator made. Its name is its id, and stays: accounts and role maps know it by that. */
export interface CustomRole {
  id: string
  permissions: Permission[]
  /** Milliseconds since the epoch. */
  createdAt: number
}

/** What an account may do, and where. */
export interface Rights {
  role: string
  permissions: ReadonlySet<string>
  scopeTags: readonly string[]
}

/** The name of a role. In lower case alone, so that no two look the same. */
export const RoleName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'a role is 1 to 32 of a-z, 0-9, _ and -')
  .describe('admin, operator, viewer, or a role of your own')

/** True for a role that every installation has. */
export const isBuiltin = (name: string) => Object.hasOwn(builtinRoles, name)

const builtinSets = new Map(
  Object.entries(builtinRoles).map(([role, list]) => [role, new Set<string>(list)]),
)

/** What a role allows now; one that does not exist allows nothing. */
export async function permissionsOf(
  role: string,
  { roles }: Needs<'roles'>,
): Promise<ReadonlySet<string>> {
  const builtin = builtinSets.get(role)
  if (builtin) return builtin
  const custom = await roles.find(role)
  return new Set(custom ? known(custom.permissions) : [])
}

/** The permissions that exist, in the order in which they are listed: a record may be of another version. */
export const known = (names: readonly string[]): Permission[] =>
  permissions.filter((permission) => names.includes(permission))

/** The rights that an account has, or would have. */
export async function rightsOf(
  { role, scopeTags }: Pick<Account, 'role' | 'scopeTags'>,
  ports: Needs<'roles'>,
): Promise<Rights> {
  return { role, scopeTags, permissions: await permissionsOf(role, ports) }
}

/** Throws a `Failure` 400 for a role that does not exist. */
export async function requireRole(name: string, { roles }: Needs<'roles'>): Promise<void> {
  if (!isBuiltin(name) && !(await roles.find(name))) {
    throw invalid(`body.role: there is no role ${name}`)
  }
}

/** The role of that name, made by an administrator. Throws a `Failure`: 409 for a built-in one, 404. */
export async function getCustomRole(name: string, { roles }: Needs<'roles'>) {
  if (isBuiltin(name)) throw conflict(`the role ${name} is built in and stays as it is`)
  const role = await roles.find(name)
  if (!role) throw notFound(`there is no role ${name}`)
  return role
}
