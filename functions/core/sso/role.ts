import { isBuiltin, permissionsOf } from '../access/role.ts'
import type { Needs } from '../ports.ts'
import type { IdentityProvider } from './provider.ts'

type Mapping = Pick<IdentityProvider, 'roleClaim' | 'roleMap' | 'defaultRole'>

/** The role of an account whose provider gives it none any more: no role can have this name, so it allows nothing. */
export const noRole = '(none)'

/** Whoever may do one of these can make himself an admin: such a role is given by a map alone. */
const administrative = ['users:manage', 'roles:manage', 'settings:manage']

/** True for a role that a provider may give to everybody, as it is now. */
export async function isFitForAll(role: string, ports: Needs<'roles'>): Promise<boolean> {
  const allowed = await permissionsOf(role, ports)
  return !administrative.some((permission) => allowed.has(permission))
}

/** True when the provider decides about the roles of its people at each sign-in. */
export const decidesRoles = ({ roleMap }: Mapping): boolean => Object.keys(roleMap).length > 0

/**
 * The role that a provider gives to somebody with these claims: of those that the map has for him and that exist the one
 * that may do most, else the default one. Nothing when there is none, or the default one may administer.
 */
export async function roleOf(
  mapping: Mapping,
  claims: Readonly<Record<string, unknown>>,
  ports: Needs<'roles'>,
): Promise<string | undefined> {
  const mapped = valuesOf(mapping.roleClaim, claims)
    .filter((value) => Object.hasOwn(mapping.roleMap, value))
    .map((value) => mapping.roleMap[value] as string)
  const weighed = new Map<string, number>()
  for (const role of mapped) {
    if (await exists(role, ports)) weighed.set(role, (await permissionsOf(role, ports)).size)
  }
  const [best] = [...weighed].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
  if (best) return best[0]
  const { defaultRole: role } = mapping
  if (role === null || !(await exists(role, ports))) return undefined
  return (await isFitForAll(role, ports)) ? role : undefined
}

/** True for a role that is there now. */
export const exists = async (role: string, { roles }: Needs<'roles'>): Promise<boolean> =>
  isBuiltin(role) || (await roles.find(role)) !== undefined

/** True when a provider may give that role to somebody. */
export const gives = ({ roleMap, defaultRole }: Mapping, role: string): boolean =>
  defaultRole === role || Object.values(roleMap).includes(role)

function valuesOf(claim: string | null, claims: Readonly<Record<string, unknown>>): string[] {
  if (claim === null) return []
  const value = own(claims, claim) ?? claim.split('.').reduce<unknown>(own, claims)
  return [value].flat().filter((one) => typeof one === 'string')
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
