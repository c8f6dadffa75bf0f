import { permissionsOf } from '../access/permissions.ts'
import type { IdentityProvider } from './provider.ts'

type Mapping = Pick<IdentityProvider, 'roleClaim' | 'roleMap' | 'defaultRole'>

/** The role of an account whose provider gives it none any more: no role can have this name, so it allows nothing. */
export const noRole = '(none)'

/** Whoever may do one of these can make himself an admin: such a role is given by a map alone. */
const administrative = ['users:manage', 'roles:manage', 'settings:manage']

/** True for a role that a provider may give to everybody. */
export const isFitForAll = (role: string): boolean =>
  !administrative.some((permission) => permissionsOf(role).has(permission))

/** True when the provider decides about the roles of its people at each sign-in. */
export const decidesRoles = ({ roleMap }: Mapping): boolean => Object.keys(roleMap).length > 0

/**
 * The role that a provider gives to somebody with these claims: of those that the map has for him the one that may do
 * most, else the default one. Nothing when there is none, or the default one may administer.
 */
export function roleOf(
  mapping: Mapping,
  claims: Readonly<Record<string, unknown>>,
): string | undefined {
  const mapped = valuesOf(mapping.roleClaim, claims)
    .filter((value) => Object.hasOwn(mapping.roleMap, value))
    .map((value) => mapping.roleMap[value] as string)
  const weight = (role: string) => permissionsOf(role).size
  const [best] = mapped.sort((a, b) => weight(b) - weight(a) || (a < b ? -1 : 1))
  if (best !== undefined) return best
  const { defaultRole } = mapping
  return defaultRole !== null && isFitForAll(defaultRole) ? defaultRole : undefined
}

function valuesOf(claim: string | null, claims: Readonly<Record<string, unknown>>): string[] {
  if (claim === null) return []
  const value = own(claims, claim) ?? claim.split('.').reduce<unknown>(own, claims)
  return [value].flat().filter((one) => typeof one === 'string')
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
