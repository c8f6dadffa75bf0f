import { requireEveryHost, requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { IdentityProvider } from '../core/records/identity-provider.ts'
import { mayBeDefaultRole, roleExists } from '../core/sso/role.ts'
import { parseUrl } from '../core/url.ts'

type GrantedRoles = Pick<IdentityProvider, 'roleMap' | 'defaultRole'>
type Granted = GrantedRoles & Pick<IdentityProvider, 'issuerUrl'>

/**
 * Checks that the caller has, on all hosts, every right that a provider grants, and those of the
 * accounts that sign in with its issuer: they do so with any provider of that issuer, whose client
 * decides what the issuer says. Only an admin may thus decide who becomes or is an admin.
 *
 * @throws 403 if a right is missing
 */
export async function requireGrants(
  caller: Caller,
  { roleMap, defaultRole, issuerUrl }: Granted,
  ports: Needs<'accounts' | 'roles'>,
): Promise<void> {
  requireEveryHost(caller, 'identity providers')
  const roles = new Set([...Object.values(roleMap), ...(defaultRole === null ? [] : [defaultRole])])
  for (const role of roles) {
    requireWithin(caller, await rightsOf({ role, scopeTags: [] }, ports), 'body')
  }
  for (const account of await ports.accounts.list()) {
    if (!isSameIssuer(account.identity?.issuer, issuerUrl)) continue
    const subject = `user ${account.username}, who signs in with ${issuerUrl}`
    requireWithin(caller, await rightsOf(account, ports), subject)
  }
}

/** Issuers are compared as the discovery compares them. */
const isSameIssuer = (one: string | undefined, other: string): boolean =>
  one !== undefined && parseUrl(one)?.href === parseUrl(other)?.href

/**
 * Checks the roles that a provider grants.
 *
 * @throws 400 if a role does not exist, or if the default role may administer
 */
export async function requireRoles(
  { roleMap, defaultRole }: GrantedRoles,
  ports: Needs<'roles'>,
): Promise<void> {
  for (const [value, role] of Object.entries(roleMap)) {
    if (!(await roleExists(role, ports))) {
      throw invalid(`body.role_map[${JSON.stringify(value)}]: there is no role ${role}`)
    }
  }
  if (defaultRole === null) return
  if (!(await roleExists(defaultRole, ports))) {
    throw invalid(`body.default_role: there is no role ${defaultRole}`)
  }
  if (!(await mayBeDefaultRole(defaultRole, ports))) {
    throw invalid('body.default_role: must not be a role that administers: use role_map for it')
  }
}
