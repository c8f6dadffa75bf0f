import { requireEveryHost, requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports/ports.ts'
import type { Caller } from '../core/records/account.ts'
import type { IdentityProvider } from '../core/records/identity-provider.ts'
import { mayBeDefaultRole, roleExists } from '../core/sso/role.ts'

type GrantedRoles = Pick<IdentityProvider, 'roleMap' | 'defaultRole'>

/**
 * Checks that the caller has, on all hosts, every right that a provider grants. Only an admin may
 * thus decide who becomes an admin.
 *
 * @throws 403 if a right is missing
 */
export async function requireGrants(
  caller: Caller,
  { roleMap, defaultRole }: GrantedRoles,
  ports: Needs<'roles'>,
): Promise<void> {
  requireEveryHost(caller, 'identity providers')
  const roles = new Set([...Object.values(roleMap), ...(defaultRole === null ? [] : [defaultRole])])
  for (const role of roles) {
    requireWithin(caller, await rightsOf({ role, scopeTags: [] }, ports), 'body')
  }
}

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
