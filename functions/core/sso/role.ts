import { isBuiltin, permissionsOf } from '../access/role.ts'
import type { Needs } from '../ports/ports.ts'
import type { IdentityProvider } from '../records/identity-provider.ts'

type Mapping = Pick<IdentityProvider, 'roleClaim' | 'roleMap' | 'defaultRole'>

/**
 * The role of an account whose provider no longer grants one. No real role can have this name, so
 * it permits nothing.
 */
export const noRole = '(none)'

/**
 * With any of these permissions users can make themselves admin. Roles that have one are granted
 * only through the map.
 */
const administrative = ['users:manage', 'roles:manage', 'settings:manage']

/**
 * Returns whether a provider may grant a role to all its users, by the role's current permissions.
 */
export async function mayBeDefaultRole(role: string, ports: Needs<'roles'>): Promise<boolean> {
  const allowed = await permissionsOf(role, ports)
  return !administrative.some((permission) => allowed.has(permission))
}

/** Returns whether the provider sets the role of its users at each sign-in. */
export const mapsRoles = ({ roleMap }: Mapping): boolean => Object.keys(roleMap).length > 0

/**
 * Returns the role that a provider grants for these claims: among the existing roles that the map
 * yields, the one with the most permissions, otherwise the default role. Returns undefined if there
 * is none, or if the default role has administrative permissions.
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
    if (await roleExists(role, ports)) weighed.set(role, (await permissionsOf(role, ports)).size)
  }
  const [best] = [...weighed].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))
  if (best) return best[0]
  const { defaultRole: role } = mapping
  if (role === null || !(await roleExists(role, ports))) return undefined
  return (await mayBeDefaultRole(role, ports)) ? role : undefined
}

/** Returns whether a role exists. */
export const roleExists = async (role: string, { roles }: Needs<'roles'>): Promise<boolean> =>
  isBuiltin(role) || (await roles.find(role)) !== undefined

/** Returns whether a provider may grant a role to any user. */
export const grantsRole = ({ roleMap, defaultRole }: Mapping, role: string): boolean =>
  defaultRole === role || Object.values(roleMap).includes(role)

/**
 * Returns the values of a claim: one, or those of a list. The keys of an object, as Zitadel sends
 * it, are its values, except those that are off or apply nowhere: `false`, `null`, `{}`.
 */
function valuesOf(claim: string | null, claims: Readonly<Record<string, unknown>>): string[] {
  if (claim === null) return []
  const value = own(claims, claim) ?? claim.split('.').reduce<unknown>(own, claims)
  if (isObject(value)) return Object.keys(value).filter((key) => isOn(value[key]))
  return [value].flat().filter((one) => typeof one === 'string')
}

const isOn = (value: unknown): boolean =>
  isObject(value) ? Object.keys(value).length > 0 : value === true || typeof value === 'string'

const own = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
