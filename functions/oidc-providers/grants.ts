import type { Caller } from '../core/access/account.ts'
import { requireEveryHost, requireWithin } from '../core/access/grant.ts'
import { rightsOf } from '../core/access/role.ts'
import { invalid } from '../core/errors.ts'
import type { Needs } from '../core/ports.ts'
import type { IdentityProvider } from '../core/sso/provider.ts'
import { exists, isFitForAll } from '../core/sso/role.ts'

type Giving = Pick<IdentityProvider, 'roleMap' | 'defaultRole'>

/**
 * Throws a `Failure` 403 unless the caller has every right that a provider gives, on all hosts: whoever decides who
 * becomes an admin is one.
 */
export async function requireGrants(
  caller: Caller,
  { roleMap, defaultRole }: Giving,
  ports: Needs<'roles'>,
): Promise<void> {
  requireEveryHost(caller, 'identity providers')
  const roles = new Set([...Object.values(roleMap), ...(defaultRole === null ? [] : [defaultRole])])
  for (const role of roles) {
    requireWithin(caller, await rightsOf({ role, scopeTags: [] }, ports), 'body')
  }
}

/** Throws a `Failure` 400 for a role that does not exist, and a default one that may administer. */
export async function requireRoles(
  { roleMap, defaultRole }: Giving,
  ports: Needs<'roles'>,
): Promise<void> {
  for (const [value, role] of Object.entries(roleMap)) {
    if (!(await exists(role, ports))) {
      throw invalid(`body.role_map[${JSON.stringify(value)}]: there is no role ${role}`)
    }
  }
  if (defaultRole === null) return
  if (!(await exists(defaultRole, ports))) {
    throw invalid(`body.default_role: there is no role ${defaultRole}`)
  }
  if (!(await isFitForAll(defaultRole, ports))) {
    throw invalid('body.default_role: may administer: give it by role_map')
  }
}
